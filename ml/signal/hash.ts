/** Mixes a number into a hash (FNV-1a over 32-bit words). */
export const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 16_777_619);

/** Spreads the bits of a hash (the last steps of MurmurHash3, public domain). */
export function spread(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** First value of a hash (FNV-1a). */
export const hashStart = 0x811c9dc5;

function hashOfName(name: string): number {
  let hash = hashStart;
  for (let i = 0; i < name.length; i += 1) hash = mix(hash, name.charCodeAt(i));
  return spread(hash);
}

/** Channels in an order that depends only on their names, so that all batches of a model agree. */
export const ranked = (names: readonly string[]): { channel: number; seed: number }[] =>
  names.map((name, channel) => ({ channel, seed: hashOfName(name) })).sort((a, b) => a.seed - b.seed);
