import { packFingerprints } from '../fingerprints.ts';
import type { Fingerprints, Trials } from '../types.ts';
import { mix, ranked, spread } from './hash.ts';
import { takeSketches } from './sketches.ts';

/** Channels that are read. More cost time; a single one may be dead. */
const mostChannels = 4;
/** Hz near which the second difference is most sensitive: the middle of EEG. */
const sharpestHz = 32;
/** Extremes of the second difference that one fingerprint reads, and steps into which their heights are divided. */
const reach = 3;
const steps = 12;
/**
 * How much higher than its neighbours an extreme must be. Of near ties, which rounding would decide, the first is
 * taken.
 */
const clearly = 1 + 1e-3;
/** Spread of the heights of a rhythm, as a fraction of their mean. */
const evenness = 0.03;
/** Approximate number of fingerprints kept for a trial, long or short. */
const wanted = 128;

type Sent = Pick<Trials, 'data' | 'trials' | 'channels' | 'samples' | 'rateHz' | 'channelNames'>;

const known = new WeakMap<object, Fingerprints>();

/**
 * Fingerprints of trials, taken once: those that they bring along, else of their signal, which must not have been
 * resampled since it was cut into trials. A stretch of a recording leaves the same fingerprints in every trial that
 * holds it, wherever it stands in them (local fingerprints: Schleimer, Wilkerson & Aiken 2003, SIGMOD). They are hashes
 * of the second difference between its extremes, relative to the largest of them, so an offset, a linear trend and a
 * scale for each channel of each trial leave them as they are, and nothing of the signal can be read from them. Time is
 * linear in trials × samples. Sketches of whole trials recognise altered copies (see `takeSketches`).
 */
export function fingerprintsOf(trials: Sent & Pick<Trials, 'fingerprints'>): Fingerprints {
  const found = trials.fingerprints ?? known.get(trials) ?? takeFingerprints(trials);
  known.set(trials, found);
  return found;
}

function takeFingerprints({ data, trials, channels, samples, rateHz, channelNames }: Sent): Fingerprints {
  const stride = Math.max(1, Math.round(rateHz / (2 * sharpestHz)));
  const radius = Math.max(1, stride >> 1);
  const expected = (Math.min(channels, mostChannels) * samples) / (radius + 3);
  const mask = 2 ** Math.max(0, Math.floor(Math.log2(expected / wanted))) - 1;
  const second = new Float64Array(samples);
  const extremes = new Int32Array(samples);
  /** Hash and place as one number, so that a plain sort puts equal hashes side by side. */
  const own = Array.from({ length: trials }, (): number[] => []);
  let used = 0;
  for (const { channel, seed } of ranked(channelNames)) {
    if (used === mostChannels) break;
    let any = false;
    for (let t = 0; t < trials; t += 1) {
      const from = (t * channels + channel) * samples;
      takeSecondDifference(data.subarray(from, from + samples), stride, second);
      const count = findExtremes(second, stride, samples - stride, radius, extremes);
      const last = isRhythm(second, extremes, count) ? 0 : count - reach + 1;
      for (let e = 0; e < last; e += 1) {
        const hash = hashOf(second, extremes, e, seed);
        if ((hash & mask) === 0) own[t].push(hash * samples + extremes[e]);
      }
      any ||= count > 0;
    }
    if (any) used += 1;
  }
  return packFingerprints(
    own.map((prints) => unrepeated(prints, samples)),
    { samples, rateHz, ...takeSketches({ data, trials, channels, samples, rateHz, channelNames }) },
  );
}

/** Second difference of a row at distance `stride`, without its ends. */
function takeSecondDifference(row: Float32Array, stride: number, out: Float64Array): void {
  for (let i = stride, end = row.length - stride; i < end; i += 1)
    out[i] = row[i - stride] - 2 * row[i] + row[i + stride];
}

/** Where |values| is largest within `radius` on both sides; returns how many are written to `out`. */
function findExtremes(values: Float64Array, from: number, to: number, radius: number, out: Int32Array): number {
  let count = 0;
  for (let i = from + radius; i < to - radius; i += 1) {
    const own = Math.abs(values[i]);
    let highest = own > 0;
    for (let j = 1; highest && j <= radius; j += 1)
      highest = own > clearly * Math.abs(values[i - j]) && clearly * own >= Math.abs(values[i + j]);
    if (!highest) continue;
    out[count++] = i;
    // No value within its radius is higher.
    i += radius;
  }
  return count;
}

/** True if all extremes have the same height: the origin of a stretch of such a rhythm cannot be determined. */
function isRhythm(values: Float64Array, extremes: Int32Array, count: number): boolean {
  let sum = 0;
  let square = 0;
  for (let e = 0; e < count; e += 1) {
    const height = Math.abs(values[extremes[e]]);
    sum += height;
    square += height * height;
  }
  const mean = sum / count;
  return square / count - mean * mean < (evenness * mean) ** 2;
}

/** Distances of successive extremes, and heights there and half way, relative to the largest. */
function hashOf(values: Float64Array, extremes: Int32Array, first: number, seed: number): number {
  let top = 0;
  for (let k = 0; k < reach; k += 1) top = Math.max(top, Math.abs(values[extremes[first + k]]));
  let hash = seed;
  for (let k = 0; k < reach; k += 1) {
    const at = extremes[first + k];
    hash = mix(hash, Math.round((values[at] / top) * steps) + steps);
    if (k + 1 === reach) break;
    const gap = extremes[first + k + 1] - at;
    hash = mix(hash, gap);
    hash = mix(hash, Math.round((values[at + (gap >> 1)] / top) * steps) + steps);
  }
  return spread(hash);
}

/** Removes the hashes that occur twice in a trial: a rhythm does not show where a stretch of it comes from. */
function unrepeated(prints: readonly number[], samples: number): Float64Array {
  const sorted = new Float64Array(prints).sort();
  let count = 0;
  let before = -1;
  let own = Math.floor(sorted[0] / samples);
  for (let i = 0; i < sorted.length; i += 1) {
    const after = i + 1 < sorted.length ? Math.floor(sorted[i + 1] / samples) : -1;
    if (own !== before && own !== after) sorted[count++] = sorted[i];
    [before, own] = [own, after];
  }
  return sorted.subarray(0, count);
}
