import { putRows, range } from '../../rows.ts';
import { detrend } from '../../signal/index.ts';
import type { Trials } from '../../types.ts';
import type { EncodeContext, EncodedTrials, Encoder, RunGraph } from '../types.ts';
import { sizes } from './epochs.ts';
import { robustSleepNetGraphs } from './graphs.ts';
import { framePower } from './log-power.ts';
import { momentsOf, pooled, standardised, type LogPowers, type Standard } from './moments.ts';
import { around, reach } from './neighbours.ts';
import { at60Hz } from './sixty-hertz.ts';

/** Length of an epoch's embedding, and of its output when it is read with its neighbours. */
const [embedded, placed] = [sizes.embedding, 100];
const { bins } = sizes;
/** Epochs in one run of a graph. */
const chunk = 64;
/** Typical interquartile range of unfiltered EEG, µV. Values beyond 20 times this are clipped. */
const usualMicrovolts = 50;

/**
 * Log powers of trials, each by itself. Subtracts the linear trend first, because the filter from 0.2 Hz would ring
 * over the whole epoch. Divides all trials by the same amplitude. The published recipe divides a recording by its
 * quartiles, but standardising the log powers cancels that; only the clipping differs.
 */
function logPowers(trials: Trials): LogPowers {
  const { channels, trials: count } = trials;
  const level = Float32Array.from(detrend(trials.data, count * channels, trials.samples));
  const { data, samples } = at60Hz({ ...trials, data: level });
  for (let i = 0; i < data.length; i += 1) data[i] /= usualMicrovolts;
  const power = framePower(data, count, channels, samples);
  return { data: power.data, trials: count, channels, bins, frames: power.dims[3] };
}

/** Embeddings [rows × 50] of epochs whose log powers are standardised by `standard`. */
async function embed(powers: LogPowers, rows: Int32Array, standard: Standard, run: RunGraph): Promise<Float64Array> {
  const { channels, frames } = powers;
  const out = new Float64Array(rows.length * embedded);
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.subarray(from, from + chunk);
    const z = { dims: [some.length, channels, bins, frames], data: standardised(powers, some, standard) };
    const { embedding } = await run('epochs', { z });
    out.set(embedding.data, from * embedded);
  }
  return out;
}

/** Output [rows × 100] of the sequence network for each epoch, read with its neighbours. */
async function place(embeddings: Float64Array, neighbours: readonly Int32Array[], run: RunGraph) {
  const length = 2 * reach + 1;
  const out = new Float64Array(neighbours.length * placed);
  for (let from = 0; from < neighbours.length; from += chunk) {
    const some = neighbours.slice(from, from + chunk);
    const data = new Float32Array(some.length * length * embedded);
    some.forEach((rows, i) =>
      rows.forEach((row, j) =>
        data.set(embeddings.subarray(row * embedded, (row + 1) * embedded), (i * length + j) * embedded),
      ),
    );
    const { sequence } = await run('sequence', { embeddings: { dims: [some.length, length, embedded], data } });
    some.forEach((_, i) => {
      const middle = (i * length + reach) * placed;
      out.set(sequence.data.subarray(middle, middle + placed), (from + i) * placed);
    });
  }
  return out;
}

/**
 * The reference for standardising: 1 if recordings are named, else 0; the number of trials; the moments of all of them.
 * It is the same for every trial of a fit, so it does not reveal the recording, and for every trial of the fitted
 * model. It includes held-out recordings (without labels), which are a large part if there are few nights.
 */
const standardOf = (moments: Float64Array, trials: number, { recordings }: EncodeContext): Float64Array =>
  Float64Array.of(
    recordings ? 1 : 0,
    trials,
    ...pooled(moments, moments.length / Math.max(1, trials), range(trials)).moments,
  );

/** Encodes trials to the sets that `names` lists: see `robustSleepNet`. */
async function encode(
  powers: LogPowers,
  names: readonly string[],
  context: EncodeContext,
  run: RunGraph,
): Promise<EncodedTrials> {
  const { trials } = powers;
  const moments = momentsOf(powers);
  const standard = context.standard ?? standardOf(moments, trials, context);
  const known = { trials: standard[1], moments: standard.subarray(2) };
  const all = range(trials);
  const tables: Record<string, Float64Array> = {};
  if (names.includes('alone')) tables['alone'] = await embed(powers, all, known, run);
  if (names.includes('together')) {
    const table = new Float64Array(trials * togetherWidth);
    const inOrder = context.recordings !== null && standard[0] === 1;
    for (const rows of context.recordings ?? [all]) {
      const by = context.recordings ? pooled(moments, known.moments.length, rows, known) : known;
      const own = await embed(powers, rows, by, run);
      const between = await place(own, around(rows.length, inOrder), run);
      const both = new Float64Array(rows.length * togetherWidth);
      for (let i = 0; i < rows.length; i += 1) {
        both.set(own.subarray(i * embedded, (i + 1) * embedded), i * togetherWidth);
        both.set(between.subarray(i * placed, (i + 1) * placed), i * togetherWidth + embedded);
      }
      putRows(table, togetherWidth, rows, both);
    }
    tables['together'] = table;
  }
  return { tables, standard };
}

/** Length of the embedding and the sequence output together. */
const togetherWidth = embedded + placed;

/**
 * RobustSleepNet (Guillot & Thorey 2021, IEEE Trans. Neural Syst. Rehabil. Eng. 29), for any channels in any order.
 * Sets: `alone` [trials × 50], embeddings of epochs standardised by the average of all epochs of the fit. (Standardised
 * by its own mean and spread an epoch would lose its level, and with it the stage.) `together` [trials × 150], epochs
 * standardised mainly by their own recording, less so the fewer epochs it has: the embedding, and the output of the
 * network for the epoch with two neighbours on either side. Frames have 2.1 s, whatever the length of the epoch.
 */
export const robustSleepNet: Encoder = {
  id: 'robust-sleep-net',
  version: 1,
  highestHz: 30,
  secondsOf: ({ channels, samples, rateHz }) => (6e-6 * channels * samples) / rateHz,
  graphs: robustSleepNetGraphs,
  sets: { alone: () => embedded, together: () => togetherWidth },
  together: ['together'],
  encode: (trials, names, context, run) => encode(logPowers(trials), names, context, run),
};
