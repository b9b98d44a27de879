import { resampledLength } from '../../signal/index.ts';
import type { Trials } from '../../types.ts';
import type { Encoder, RunGraph } from '../types.ts';
import { labramGraph } from './graph.ts';
import { prepare } from './prepare.ts';
import { graphInputOf, readingOf } from './reading.ts';
import { rateHz, windowsOf } from './windows.ts';

/** Values of an embedding. */
const width = 200;

/** Patches of all channels that one run of the graph reads, unless one trial has more: they bound its memory. */
const patchesAtOnce = 1024;

/** Places of a window's output rows (200 values each) in a trial's row of a set. */
interface Layout {
  readonly rows: number;
  /** Row of the set for each row of the graph. */
  readonly at: readonly number[];
}

/**
 * Embeddings of trials that LaBraM can read (`unreadable`), some of them at a time, the windows of a trial averaged. No
 * trial's depends on another's. A site whose channel carries no signal is not read, and its embedding is zeros.
 */
async function encode(
  trials: Trials,
  names: readonly string[],
  run: RunGraph,
): Promise<Readonly<Record<string, Float64Array>>> {
  const reading = readingOf(trials);
  const graphInput = graphInputOf(reading, trials);
  const layouts: Readonly<Record<string, Layout>> = {
    pooled: { rows: 1, at: [0] },
    sites: { rows: reading.sites.length, at: graphInput.at },
  };
  const out = Object.fromEntries(
    names.map((name) => [name, new Float64Array(trials.trials * layouts[name].rows * width)]),
  );
  const channels = graphInput.rows.length;
  if (channels === 0) return out;
  const { patches, starts } = windowsOf(channels, resampledLength(trials.samples, trials.rateHz, rateHz));
  const atOnce = Math.max(1, Math.floor(patchesAtOnce / (channels * patches * starts.length)));
  for (let first = 0; first < trials.trials; first += atOnce) {
    const count = Math.min(atOnce, trials.trials - first);
    const given = await run('labram', prepare(trials, graphInput, first, count));
    for (const name of names)
      addWindows(out[name], layouts[name], given[name].data, { first, count, windows: starts.length });
  }
  return out;
}

/** Trials that were encoded together: `count` from the `first`, with so many windows each. */
interface EncodedTrials {
  readonly first: number;
  readonly count: number;
  readonly windows: number;
}

/** Adds the mean over the windows of each trial to the table `out` of all trials. */
function addWindows(
  out: Float64Array,
  { rows, at }: Layout,
  given: Float32Array,
  { first, count, windows }: EncodedTrials,
): void {
  let from = 0;
  for (let t = first; t < first + count; t += 1)
    for (let w = 0; w < windows; w += 1)
      for (const row of at) {
        const to = (t * rows + row) * width;
        for (let i = 0; i < width; i += 1, from += 1) out[to + i] += given[from] / windows;
      }
}

/**
 * LaBraM-base (Jiang, Zhao & Lu 2024, ICLR): a transformer that reads a trial second by second, electrode by electrode,
 * and knows each electrode's place and each second's. Sets: `pooled` [trials × 200], the mean of its tokens; `sites`
 * [trials × sites · 200], their mean over time for each electrode, or fixed site, that it reads (`readingOf`).
 */
export const labram: Encoder = {
  id: 'labram-base',
  version: 1,
  highestHz: 75,
  secondsOf: (shape) => (120e-6 * readingOf(shape).sites.length * shape.samples) / shape.rateHz,
  graphs: { labram: labramGraph },
  sets: { pooled: () => width, sites: (shape) => width * readingOf(shape).sites.length },
  readsFixedSites: (shape) => readingOf(shape).fixed,
  encode: async (trials, names, _context, run) => ({ tables: await encode(trials, names, run) }),
};
