import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Encode = (body: Uint8Array) => Promise<Uint8Array>;
const brotli: Encode = (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });

/** Encodings in order of preference. Every current browser accepts the first. */
const encodings = { br: brotli, gzip: promisify<Uint8Array, Uint8Array>(gzip) } as const;
export type Encoding = keyof typeof encodings;

const isAccepted = (name: string, accepted: string): boolean =>
  accepted.split(',').some((part) => {
    const [coding, ...parameters] = part.trim().toLowerCase().split(';');
    return coding.trim() === name && !parameters.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each));
  });

/** The preferred encoding of an Accept-Encoding header; undefined: the content is sent as it is. */
export const preferredEncoding = (accepted: string): Encoding | undefined =>
  (Object.keys(encodings) as Encoding[]).find((name) => isAccepted(name, accepted));

/** Encoded content, cached with the original content as its key. */
const kept = new WeakMap<Uint8Array, Map<Encoding, Promise<Uint8Array>>>();

export function encoded(body: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  const ofBody = kept.get(body) ?? new Map<Encoding, Promise<Uint8Array>>();
  kept.set(body, ofBody);
  const before = ofBody.get(encoding);
  if (before) return before;
  const made = encodings[encoding](body);
  ofBody.set(encoding, made);
  return made;
}
