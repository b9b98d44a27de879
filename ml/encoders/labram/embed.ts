import { resampledLength } from '../../signal/index.ts';
import type { Trials } from '../../types.ts';
import type { RunGraph } from '../types.ts';
import { prepare } from './prepare.ts';
import { readingOf } from './reading.ts';
import { rateHz, windowsOf } from './windows.ts';

/** Numbers of an embedding. */
export const embeddingWidth = 200;

/** Patches of all channels that one run of the graph reads, unless one trial has more: they bound its memory. */
const tokensAtOnce = 1024;

/** Embeddings of trials; the windows of a trial are averaged. */
export interface Embeddings {
  /** Electrodes that were read, or sites that one fed. */
  readonly sites: readonly string[];
  /** [trials × sites × 200] */
  readonly bySite: Float32Array;
  /** [trials × 200] */
  readonly pooled: Float32Array;
}

/**
 * Embeddings of trials that LaBraM can read (`unreadable`), by runs of its graph on some of them at a time. None
 * depends on another trial.
 */
export async function embed(trials: Trials, run: RunGraph): Promise<Embeddings> {
  const reading = readingOf(trials);
  const channels = reading.rows.length;
  const { patches, starts } = windowsOf(channels, resampledLength(trials.samples, trials.rateHz, rateHz));
  const atOnce = Math.max(1, Math.floor(tokensAtOnce / (channels * patches * starts.length)));
  const bySite = new Float32Array(trials.trials * channels * embeddingWidth);
  const pooled = new Float32Array(trials.trials * embeddingWidth);
  for (let first = 0; first < trials.trials; first += atOnce) {
    const count = Math.min(atOnce, trials.trials - first);
    const outputs = await run('labram', prepare(trials, reading, first, count));
    averageInto(bySite, first, outputs['sites'].data, count, starts.length);
    averageInto(pooled, first, outputs['pooled'].data, count, starts.length);
  }
  return { sites: reading.sites, bySite, pooled };
}

/** Writes the mean over the windows of each of `count` trials to its place in `out`, the first being trial `first`. */
function averageInto(out: Float32Array, first: number, from: Float32Array, count: number, windows: number): void {
  const size = from.length / (count * windows);
  for (let t = 0; t < count; t += 1)
    for (let i = 0; i < size; i += 1) {
      let sum = 0;
      for (let w = 0; w < windows; w += 1) sum += from[(t * windows + w) * size + i];
      out[(first + t) * size + i] = sum / windows;
    }
}
