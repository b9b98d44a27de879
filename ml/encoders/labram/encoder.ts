import { resampledLength } from '../../signal/index.ts';
import type { Trials } from '../../types.ts';
import type { Encoder, RunGraph } from '../types.ts';
import { labramGraph } from './graph.ts';
import { prepare } from './prepare.ts';
import { graphInputOf, readingOf } from './reading.ts';
import { rateHz, windowsOf } from './windows.ts';

/** Length of an embedding. */
const width = 200;

/** Patches of all channels in one run of the graph. This bounds its memory; one trial alone may have more. */
const patchesAtOnce = 1024;

/** Where the output rows of a window (200 values each) go in a trial's row of a set. */
interface Layout {
  readonly rows: number;
  /** Row of the set for each row of the graph. */
  readonly at: readonly number[];
}

/**
 * Embeddings of trials that LaBraM can read (see `unreadable`), in batches; averaged over the windows of a trial. An
 * embedding depends on no other trial. A site whose channel has no signal is not read: its embedding is zeros.
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

/** Trials that were encoded together: `count` trials from `first` on, each with `windows` windows. */
interface EncodedTrials {
  readonly first: number;
  readonly count: number;
  readonly windows: number;
}

/** Averages each trial over its windows and writes it to the table `out` of all trials. */
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
