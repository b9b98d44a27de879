import { LRUCache } from 'lru-cache';
import { readBase64 } from './base64.ts';
import type { TrialsRead } from './read-trials.ts';
import type { Scan } from './scan.ts';
import { microvoltsPer, type Unit } from './units.ts';

type Read = Extract<TrialsRead, { ok: true }>;

/** Longest remembered text around `x` in bytes, and number of remembered texts. */
const [mostBytes, mostRests] = [16 * 1024, 128];

/** Results for the rest of a prediction's body. They are the same for any `x`. */
const cache = new LRUCache<string, Omit<Read, 'microvolts'>>({ max: mostRests });

const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array, from: number, to?: number): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1', from, to);

/**
 * The bytes before and after `x`, and where `x` begins; null: they are too long, or `x` is not a text that occurs once.
 */
function restOf(body: Uint8Array, { span }: Scan['x']): string | null {
  if (!span || body.length - (span[1] - span[0]) > mostBytes) return null;
  const [from, to] = span;
  return `${from} ${latin1(body, 0, from)}${latin1(body, to)}`;
}

/** Remembers the result for a prediction's body, for later bodies that differ only in the values of `x`. */
export function rememberRead(body: Uint8Array, sizes: Scan, { microvolts: _, ...read }: Read): void {
  const rest = restOf(body, sizes.x);
  if (rest !== null) cache.set(rest, read);
}

/**
 * Reads a prediction's body whose fields except `x` are byte by byte those of an earlier body. Callers often send the
 * same fields again, so only the base64 is decoded. Null if there was no such body, or if `x` is not valid. Then the
 * whole body must be read, which reports the errors.
 */
export function readKnown(body: Uint8Array, sizes: Scan): Read | null {
  const rest = restOf(body, sizes.x);
  const read = rest === null ? undefined : cache.get(rest);
  if (!read) return null;
  const { shape, envelope } = read;
  const scale = microvoltsPer[envelope.units as Unit];
  const x = latin1(body, ...sizes.x.span!);
  const { data } = readBase64(x, { x, shape, scale, channels: shape[1], labels: null });
  return data && { ...read, microvolts: data };
}
