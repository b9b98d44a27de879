import { fillSites19, headPositionOf, sites19 } from '../../channels/index.ts';
import type { SignalShape, Trials } from '../../types.ts';
import type { Encoder, RunGraph } from '../types.ts';
import { sizes } from './cells.ts';
import { dcrnnGraphs } from './graphs.ts';
import { logSpectrum } from './log-spectrum.ts';
import { onUnitSphere, support } from './support.ts';

const { hidden } = sizes;
/** Windows in one run of the graph. */
const atOnce = 128;

interface Fed {
  /** Those of the 19 sites that have an electrode. */
  readonly sites: readonly string[];
  readonly rows: readonly number[];
}

function fedSites({ channelNames, positions }: Pick<SignalShape, 'channelNames' | 'positions'>): Fed {
  const { rows } = fillSites19(channelNames, positions);
  const fed = sites19.map((site, i) => ({ site, row: rows[i] })).filter(({ row }) => row >= 0);
  return { sites: fed.map(({ site }) => site), rows: fed.map(({ row }) => row) };
}

/** Some rows of each trial, in that order. */
function rowsOf(trials: Trials, rows: readonly number[]): Trials {
  const { samples, channels, trials: count } = trials;
  const data = new Float32Array(count * rows.length * samples);
  for (let t = 0; t < count; t += 1)
    rows.forEach((row, i) => {
      const from = (t * channels + row) * samples;
      data.set(trials.data.subarray(from, from + samples), (t * rows.length + i) * samples);
    });
  return { ...trials, data, channels: rows.length };
}

/** States of the sites [trials × sites · 64], averaged over the windows of a trial. */
async function encode(trials: Trials, run: RunGraph): Promise<Float64Array> {
  const { sites, rows } = fedSites(trials);
  const { features, windows, steps } = logSpectrum(rowsOf(trials, rows));
  const graph = support(onUnitSphere(sites.map((site) => headPositionOf(site)!)));
  const [count, , , bins] = features.dims;
  const size = sites.length * steps * bins;
  const width = sites.length * hidden;
  const out = new Float64Array(trials.trials * width);
  for (let from = 0; from < count; from += atOnce) {
    const some = Math.min(atOnce, count - from);
    const data = features.data.slice(from * size, (from + some) * size);
    const given = await run(`nodes${steps}`, {
      features: { dims: [some, sites.length, steps, bins], data },
      support: graph,
    });
    const { data: nodes } = given['nodes_mean'];
    for (let w = 0; w < some; w += 1) {
      const at = Math.floor((from + w) / windows) * width;
      for (let j = 0; j < width; j += 1) out[at + j] += nodes[w * width + j] / windows;
    }
  }
  return out;
}

/**
 * The encoder of DCRNN (Tang et al. 2022, ICLR), pretrained on clinical recordings to predict the next seconds. Its set
 * `nodes` [trials × sites · 64]: the mean state of each of the 19 fixed sites that has an electrode, averaged over the
 * windows of a trial.
 */
export const dcrnn: Encoder = {
  id: 'dcrnn-tusz',
  version: 1,
  highestHz: 99,
  graphs: dcrnnGraphs,
  sets: { nodes: (shape) => fedSites(shape).sites.length * hidden },
  readsFixedSites: () => true,
  secondsOf: (shape) => (30e-6 * fedSites(shape).sites.length * shape.samples) / shape.rateHz,
  encode: async (trials, _names, _context, run) => ({ tables: { nodes: await encode(trials, run) } }),
};
