import { hash, randomInt } from 'node:crypto';
import type { KeyMode } from '../../contract/task-model.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const format = /^eeg_(live|test)_([0-9A-Za-z]{16})_([0-9A-Za-z]{42})([0-9A-Za-z]{6})$/;

interface ParsedKey {
  readonly mode: KeyMode;
  readonly keyId: string;
  /** Stored hash of the secret. The secret has 250 random bits, so a plain hash is enough. */
  readonly hash: Buffer;
}

/**
 * A new key: `eeg_live_` or `eeg_test_`, 16 id characters, `_`, 48 secret characters whose last 6 are a checksum of
 * the rest.
 */
export function generateKey(mode: KeyMode): ParsedKey & { readonly key: string } {
  const keyId = randomText(16);
  const random = randomText(42);
  const secret = random + checksum(`${keyPrefix(mode, keyId)}_${random}`);
  return { key: `${keyPrefix(mode, keyId)}_${secret}`, mode, keyId, hash: hashSecret(secret) };
}

/** Parses a key; null if it is not one or is mistyped. Does not query the database. */
export function parseKey(text: string): ParsedKey | null {
  const match = format.exec(text);
  if (!match || checksum(text.slice(0, -6)) !== match[4]) return null;
  return { mode: match[1] as KeyMode, keyId: match[2]!, hash: hashSecret(match[3]! + match[4]!) };
}

/** The part of a key that may be shown and logged. */
export const keyPrefix = (mode: KeyMode, keyId: string): string => `eeg_${mode}_${keyId}`;

const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

function checksum(body: string): string {
  const digest = hash('sha256', `checksum:${body}`, 'buffer');
  let rest = digest.readUIntBE(0, 6);
  let text = '';
  for (let place = 0; place < 6; place += 1) {
    text = alphabet[rest % 62]! + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

const randomText = (length: number): string => Array.from({ length }, () => alphabet[randomInt(62)]).join('');
