import { packedSize } from '../geometry/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import { perShape } from './per-shape.ts';
import { segmentOf } from './power-sets.ts';
import type { Recipe, RecipeFamily } from './recipe.ts';
import { writeCovariance } from './write-covariance.ts';

/** Above this frequency muscles are louder than the brain (Whitham et al. 2007, Clin. Neurophysiol. 118(8)). */
const lowestHz = 40;
const highestHz = 100;
/** Mains frequencies; their neighbourhood is left out. */
const mainsHz = [50, 60] as const;
export const besideMainsHz = 2;

/**
 * If the power above 40 Hz is below this fraction of the power below it, it is no muscle activity: the recording was
 * low-passed, and the rest is leakage of the spectrum's window.
 */
const leakage = 1e-4;
/** Value of such a channel. */
export const silent = Math.log(1e-15);

/**
 * 'muscles': mean log power density (log µV²/Hz) from 40 to 100 Hz of every channel [channels]. The mean over the log
 * bins gives lines little weight and the broad noise of muscles much. `silent` if the recording contains nothing above
 * 40 Hz.
 */
export const musclesFamily: RecipeFamily = (args) => (args === 'cov' ? covariances : powers);

/** Recordings of 200 Hz and more contain these frequencies, so their batches can be fitted together. */
const covarianceHighestHz = 90;

/** 'muscles/cov': OAS covariance of the channels from 40 to 90 Hz, packed upper triangle. */
const covariances: Recipe = {
  storable: true,
  dimension: ({ channels }) => packedSize(channels),
  write(source, out, at) {
    const { channels, samples } = source.shape;
    const highHz = Math.min(covarianceHighestHz, usableHz(source.shape));
    const parts = [source.filtered({ lowHz: Math.min(lowestHz, 0.9 * highHz), highHz })];
    writeCovariance({ parts, rows: channels, run: samples }, out, at);
  },
};

const powers: Recipe = {
  storable: true,
  dimension: ({ channels }) => channels,
  write({ shape, spectrum }, out, at) {
    const { frequenciesHz, power } = spectrum(segmentOf(shape));
    const bins = binsFor(shape)(frequenciesHz);
    for (let c = 0; c < shape.channels; c += 1) out[at + c] = muscleLevel(power, c * frequenciesHz.length, bins);
  },
};

interface Bins {
  readonly low: Int32Array;
  readonly high: Int32Array;
}

/** Value of one channel, whose spectrum begins at `from`. */
function muscleLevel(power: Float64Array, from: number, { low, high }: Bins): number {
  let below = 0;
  for (let i = 0; i < low.length; i += 1) below += power[from + low[i]];
  let above = 0;
  for (let i = 0; i < high.length; i += 1) above += Math.log(Math.max(power[from + high[i]], Number.MIN_VALUE));
  below /= low.length;
  above /= high.length;
  return above > Math.log(leakage * below) ? above : silent;
}

/** Spectrum bins of brain and muscles. They are constant for a shape. */
const binsFor = perShape((shape) => {
  let known: Bins | undefined;
  return (frequenciesHz: Float64Array) =>
    (known ??= {
      low: binsWhere(frequenciesHz, (hz) => hz >= 1 && hz < lowestHz),
      high: binsWhere(frequenciesHz, (hz) => hz >= lowestHz && hz <= topOf(shape) && !nearMains(hz)),
    });
});

const topOf = (shape: SignalShape): number => Math.min(highestHz, usableHz(shape));

const nearMains = (hz: number): boolean => mainsHz.some((line) => Math.abs(hz - line) <= besideMainsHz);

const binsWhere = (frequenciesHz: Float64Array, holds: (hz: number) => boolean): Int32Array =>
  Int32Array.from(frequenciesHz.keys()).filter((k) => holds(frequenciesHz[k]));
