import { LRUCache } from 'lru-cache';
import { readBase64 } from './base64.ts';
import type { TrialsRead } from './read-trials.ts';
import type { Scan } from './scan.ts';
import { microvoltsPer, type Unit } from './units.ts';

type Read = Extract<TrialsRead, { ok: true }>;

/** Bytes around `x` that are remembered at most, and how many such texts. */
const [mostBytes, mostRests] = [16 * 1024, 128];

/** What was read of the rest of a prediction's body: the same fields, whatever its `x` is. */
const known = new LRUCache<string, Omit<Read, 'microvolts'>>({ max: mostRests });

const latin1 = ({ buffer, byteOffset, byteLength }: Uint8Array, from: number, to?: number): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1', from, to);

/** What stands around `x`, byte by byte, and where it begins; null: much, or `x` is no text that is there once. */
function restOf(body: Uint8Array, { span }: Scan['x']): string | null {
  if (!span || body.length - (span[1] - span[0]) > mostBytes) return null;
  const [from, to] = span;
  return `${from} ${latin1(body, 0, from)}${latin1(body, to)}`;
}

/** Remembers what was read of the body of a prediction, for those that differ from it in the values of `x` alone. */
export function rememberRead(body: Uint8Array, sizes: Scan, { microvolts: _, ...read }: Read): void {
  const rest = restOf(body, sizes.x);
  if (rest !== null) known.set(rest, read);
}

/**
 * Reads the body of a prediction whose fields but `x` are, byte by byte, those of an earlier one: callers send the same
 * again and again, and of such a body nothing but the base64 is looked at. Null where there was none, or where `x` is
 * not as it should be: then the whole body is to be read, which says what is wrong.
 */
export function readKnown(body: Uint8Array, sizes: Scan): Read | null {
  const rest = restOf(body, sizes.x);
  const read = rest === null ? undefined : known.get(rest);
  if (!read) return null;
  const { shape, envelope } = read;
  const scale = microvoltsPer[envelope.units as Unit];
  const x = latin1(body, ...sizes.x.span!);
  const { data } = readBase64(x, { x, shape, scale, channels: shape[1], labels: null });
  return data && { ...read, microvolts: data };
}
