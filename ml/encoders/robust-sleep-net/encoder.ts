import { putRows, range } from '../../rows.ts';
import type { SignalShape, Trials } from '../../types.ts';
import type { EncodeContext, Encoder, RunGraph } from '../types.ts';
import { sizes } from './epochs.ts';
import { robustSleepNetGraphs } from './graphs.ts';
import { framePower } from './log-power.ts';
import { momentsOf, momentsWidth, pooled, standardised, type LogPowers, type Standard } from './moments.ts';
import { at60Hz } from './sixty-hertz.ts';
import { standardOver, standingAlone } from './standing-alone.ts';

/** Values of an epoch's embedding, and of an epoch between its neighbours. */
const [embedded, placed] = [sizes.embedding, 100];
const { bins } = sizes;
/** Interquartile range of EEG without a filter, about: what lies beyond 20 times this is clipped. */
const usualMicrovolts = 50;
/** Epochs that one run of the graph reads. */
const chunk = 64;

const widthOf = ({ channels }: Pick<SignalShape, 'channels'>): number => momentsWidth(channels, bins);

/**
 * Log powers of trials, each by itself. All are scaled alike: the published recipe scales a whole recording to its
 * quartiles, which standardising its log powers undoes but for what is clipped.
 */
function logPowers(trials: Trials): LogPowers {
  const { data, samples } = at60Hz(trials);
  for (let i = 0; i < data.length; i += 1) data[i] /= usualMicrovolts;
  const power = framePower(data, trials.trials, trials.channels, samples);
  const [count, channels, , frames] = power.dims;
  return { data: power.data, trials: count, channels, bins, frames };
}

/** Embeddings [rows × 50] of epochs that are standardised by `standard`. */
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

/** Epochs [rows × 100] between their neighbours, of their embeddings in order. */
async function place(embeddings: Float64Array, run: RunGraph): Promise<Float32Array> {
  const dims = [embeddings.length / embedded, embedded];
  const { sequence } = await run('sequence', { embeddings: { dims, data: Float32Array.from(embeddings) } });
  return sequence.data;
}

/**
 * The sets of trials: see `robustSleepNet`. A standard is: 1 where epochs were read with their neighbours in the fit,
 * else 0; the trials of the fit; then the moments that lone epochs are read against.
 */
async function encode(
  powers: LogPowers,
  names: readonly string[],
  { recordings, standard }: EncodeContext,
  run: RunGraph,
): Promise<Readonly<Record<string, Float64Array>>> {
  const { trials, channels } = powers;
  const width = momentsWidth(channels, bins);
  const moments = momentsOf(powers);
  const known = standard ? { trials: standard[1], moments: standard.subarray(2) } : null;
  const out: Record<string, Float64Array> = {};

  if (names.includes('moments')) out['moments'] = moments;
  if (names.includes('alone')) {
    const table = new Float64Array(trials * embedded);
    const parts = known ? [{ rows: range(trials), standard: known }] : standingAlone(moments, width, recordings);
    for (const { rows, standard: own } of parts) putRows(table, embedded, rows, await embed(powers, rows, own, run));
    out['alone'] = table;
  }
  if (names.includes('together')) {
    const table = new Float64Array(trials * togetherWidth);
    const inOrder = recordings !== null && (standard === undefined || standard[0] === 1);
    for (const rows of recordings ?? [range(trials)]) {
      const own = await embed(powers, rows, pooled(moments, width, rows, known), run);
      const around = inOrder ? await place(own, run) : await placeEach(own, run);
      rows.forEach((row, i) => {
        const at = row * togetherWidth;
        table.set(own.subarray(i * embedded, (i + 1) * embedded), at);
        table.set(around.subarray(i * placed, (i + 1) * placed), at + embedded);
        table[at + togetherWidth - 1] = inOrder ? 1 : 0;
      });
    }
    out['together'] = table;
  }
  return out;
}

/** Epochs [rows × 100] each as a sequence of one, of their embeddings. */
async function placeEach(embeddings: Float64Array, run: RunGraph): Promise<Float32Array> {
  const rows = embeddings.length / embedded;
  const out = new Float32Array(rows * placed);
  for (let i = 0; i < rows; i += 1)
    out.set(await place(embeddings.subarray(i * embedded, (i + 1) * embedded), run), i * placed);
  return out;
}

/** The embedding, the epoch between its neighbours, and 1 where it was read with them. */
const togetherWidth = embedded + placed + 1;

/**
 * RobustSleepNet (Guillot & Thorey 2021, IEEE Trans. Neural Syst. Rehabil. Eng. 29), any channels in any order. Sets:
 * `alone` [trials × 50], embeddings of epochs that are standardised by what other epochs of the fit are like (on an
 * epoch's own mean and spread its level is gone, and with it the stage); `together` [trials × 151], epochs of one
 * recording in order, standardised by that recording, each with what the network makes of its neighbours; `moments`,
 * means and mean squares of the log powers of each trial, from which a fitted model knows what to read lone epochs
 * against. Epochs are read in frames of 2.1 s, whatever their length.
 */
export const robustSleepNet: Encoder = {
  id: 'robust-sleep-net',
  version: 1,
  highestHz: 30,
  graphs: robustSleepNetGraphs,
  sets: { alone: () => embedded, together: () => togetherWidth, moments: widthOf },
  together: ['together', 'moments'],
  encode: (trials, names, context, run) => encode(logPowers(trials), names, context, run),
  standardOf({ moments, together }, trials, recordings) {
    const standard = standardOver(moments, moments.length / trials, recordings);
    return Float64Array.of(together[togetherWidth - 1], standard.trials, ...standard.moments);
  },
};
