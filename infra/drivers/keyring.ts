import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  type Cipheriv,
  type Decipheriv,
} from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

/** A data encryption key; its id says nothing of it. */
export interface DataKey {
  /** 8 hexadecimal digits. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys of a service: the first seals, every one opens what it sealed. */
export interface Keyring {
  readonly current: DataKey;
  readonly all: readonly DataKey[];
  find(id: string): DataKey | null;
}

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Of keys of 32 bytes, the newest first; throws where there is none, or one has another length. */
export function keyringOf(keys: readonly Uint8Array[]): Keyring {
  if (keys.length === 0) throw new Error('There is no data encryption key.');
  const wrong = keys.find(({ length }) => length !== keyBytes);
  if (wrong) throw new Error(`A data encryption key has ${wrong.length} bytes; it must have ${keyBytes}.`);
  const all = keys.map((bytes) => ({ id: idOf(bytes), bytes }));
  return { current: all[0], all, find: (id) => all.find((each) => each.id === id) ?? null };
}

const idOf = (key: Uint8Array): string =>
  createHash('sha256').update('data key id\0').update(key).digest('hex').slice(0, 8);

/** The key for one purpose (RFC 5869), so that nothing sealed for another opens with it. */
export const keyFor = ({ bytes }: DataKey, purpose: string): DataKey['bytes'] =>
  new Uint8Array(hkdfSync('sha256', bytes, new Uint8Array(0), purpose, keyBytes));

/** Bytes that are encrypted without a break; then the process may do something else. It takes about a millisecond. */
const blockBytes = 1024 * 1024;

/**
 * AES-256-GCM: `head`, nonce (12), ciphertext, tag (16); `context` is authenticated with it. Gives way between blocks, so
 * that a large object does not hold up other requests: `bytes` must not change meanwhile.
 */
export async function encrypt(
  key: Uint8Array,
  context: Uint8Array,
  bytes: Uint8Array,
  head = Buffer.alloc(0),
): Promise<Uint8Array<ArrayBuffer>> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  const sealed = new Uint8Array(head.length + nonceBytes + bytes.length + tagBytes);
  sealed.set(head);
  sealed.set(nonce, head.length);
  await inBlocks(cipher, bytes, sealed.subarray(head.length + nonceBytes));
  cipher.final();
  sealed.set(cipher.getAuthTag(), sealed.length - tagBytes);
  return sealed;
}

/**
 * Reverses `encrypt`, of what follows its head; throws when the key, the context or a byte differs. The result shares
 * no memory with `sealed`.
 */
export async function decrypt(key: Uint8Array, context: Uint8Array, sealed: Uint8Array): Promise<Uint8Array> {
  if (sealed.length < nonceBytes + tagBytes) throw new Error('The ciphertext is too short.');
  const end = sealed.length - tagBytes;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(sealed.subarray(end));
  const plain = new Uint8Array(end - nonceBytes);
  await inBlocks(decipher, sealed.subarray(nonceBytes, end), plain);
  // It has given out all of it: GCM keeps no block back.
  decipher.final();
  return plain;
}

/** Runs `from` through a cipher into `to`, block by block. */
async function inBlocks(cipher: Cipheriv | Decipheriv, from: Uint8Array, to: Uint8Array): Promise<void> {
  for (let at = 0; at < from.length; at += blockBytes) {
    if (at > 0) await setImmediate();
    to.set(cipher.update(from.subarray(at, at + blockBytes)), at);
  }
}
