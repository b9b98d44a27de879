import type { Fingerprints } from '../types.ts';

/** Two overlapping trials. The later one begins `lag` samples after the earlier. */
export interface Link {
  readonly earlier: number;
  readonly later: number;
  readonly lag: number;
}

/** Number of following trials with the same fingerprint with which each trial is compared. */
const neighbours = 4;
/**
 * Minimum for a link of two trials at one lag: `prints` common fingerprints, `fraction` of the fingerprints in the
 * overlap, and `bits` of information beyond chance among all pairs and lags. A rare fingerprint carries more
 * information than a frequent one.
 */
const least = { prints: 3, fraction: 0.4, bits: 16 } as const;

/**
 * Pairs of overlapping trials, most common fingerprints first. Only pairs with a common fingerprint are compared, so
 * the time is nearly linear in trials × samples. Where many trials overlap at one place, each is linked to its nearest.
 */
export function findLinks(prints: Fingerprints): Link[] {
  const { samples, first } = prints;
  const trials = first.length - 1;
  const { pairs, rarity } = pairsOf(prints);
  const needed = least.bits + Math.log2(trials * trials * samples);
  const found: (Link & { readonly shared: number })[] = [];
  for (let from = 0, to = 0; from < pairs.length; from = to) {
    for (to = from + 1; to < pairs.length && pairs[to] === pairs[from];) to += 1;
    if (to - from < least.prints) continue;
    const lag = (pairs[from] % (2 * samples)) - samples;
    const pair = Math.floor(pairs[from] / (2 * samples));
    const [a, b] = [Math.floor(pair / trials), pair % trials];
    const link = { earlier: lag < 0 ? b : a, later: lag < 0 ? a : b, lag: Math.abs(lag) };
    const { shared, possible, bits } = agreement(prints, rarity, link);
    if (shared >= least.fraction * possible && bits >= needed) found.push({ ...link, shared });
  }
  return found.sort((a, b) => b.shared - a.shared || a.earlier - b.earlier || a.later - b.later);
}

/**
 * Sorted pairs of trials with a common fingerprint; each pair and its lag are one number. Most pairs that occur too
 * seldom are removed. `rarity`: bits of information of each fingerprint.
 */
function pairsOf({ hashes, at, first, samples }: Fingerprints): { pairs: Float64Array; rarity: Float64Array } {
  const trials = first.length - 1;
  const trialOf = new Int32Array(hashes.length);
  for (let t = 0; t < trials; t += 1) trialOf.fill(t, first[t], first[t + 1]);
  const size = 2 ** Math.ceil(Math.log2(hashes.length + 1));
  const order = new Float64Array(hashes.length);
  for (let i = 0; i < order.length; i += 1) order[i] = hashes[i] * size + i;
  order.sort();
  const rarity = new Float64Array(hashes.length);
  const pairs = new Float64Array(hashes.length * neighbours);
  let count = 0;
  for (let from = 0, to = 0; from < order.length; from = to) {
    const start = Math.floor(order[from] / size) * size;
    for (to = from + 1; to < order.length && order[to] < start + size;) to += 1;
    const bits = Math.log2(hashes.length / (to - from));
    for (let i = from; i < to; i += 1) {
      const a = order[i] - start;
      rarity[a] = bits;
      for (let j = i + 1; j < Math.min(to, i + 1 + neighbours); j += 1) {
        const b = order[j] - start;
        pairs[count++] = (trialOf[a] * trials + trialOf[b]) * 2 * samples + (at[a] - at[b] + samples);
      }
    }
  }
  return { pairs: frequent(pairs.subarray(0, count)).sort(), rarity };
}

/** Removes most of the pairs that occur too seldom to link two trials. Works in place. */
function frequent(pairs: Float64Array): Float64Array {
  const counts = new Uint8Array(2 ** Math.ceil(Math.log2(4 * pairs.length + 1)));
  // A slot may count several pairs together, so no frequent pair is lost.
  const slotOf = (pair: number): number => (Math.imul(pair ^ (pair / 2 ** 32), 0x9e3779b1) >>> 7) & (counts.length - 1);
  for (let i = 0; i < pairs.length; i += 1) {
    const slot = slotOf(pairs[i]);
    if (counts[slot] < least.prints) counts[slot] += 1;
  }
  let kept = 0;
  for (let i = 0; i < pairs.length; i += 1) if (counts[slotOf(pairs[i])] === least.prints) pairs[kept++] = pairs[i];
  return pairs.subarray(0, kept);
}

/**
 * Fingerprints of the earlier trial that the later one should contain (`possible`), those that it contains (`shared`),
 * and their information in bits.
 */
function agreement(
  { hashes, at, first }: Fingerprints,
  rarity: Float64Array,
  { earlier, later, lag }: Link,
): { shared: number; possible: number; bits: number } {
  const placeOf = new Map<number, number>();
  for (let i = first[later]; i < first[later + 1]; i += 1) placeOf.set(hashes[i], at[i]);
  const out = { shared: 0, possible: 0, bits: 0 };
  for (let i = first[earlier]; i < first[earlier + 1]; i += 1) {
    if (at[i] < lag) continue;
    out.possible += 1;
    if (placeOf.get(hashes[i]) !== at[i] - lag) continue;
    out.shared += 1;
    out.bits += rarity[i];
  }
  return out;
}
