import { bandPower } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import type { RecipeFamily } from './recipe.ts';

/** Edges in Hz of the bands of 'logpower': delta, theta, alpha, beta and gamma, each in finer steps. */
const logPowerEdges = [1, 2, 4, 6, 8, 10, 12, 14, 17, 20, 25, 30, 35, 40, 45] as const;

/** Width of the bands of 'logpower' from 2 to 14 Hz. */
export const logPowerStepHz = 2;
/** Width of the widest bins of 'logspectrum', those of trials below 2 s. */
export const logSpectrumStepHz = 1;

/** Power density (µV²/Hz) of a flat channel. */
export const floor = 1e-12;

/** 'logpower': log of the mean power density per channel and band [channels × bands]. */
export const logPowerFamily: RecipeFamily = () => ({
  storable: true,
  dimension: (shape) => shape.channels * bandsOf(shape).length,
  write: ({ shape, spectrum }, out, at) => writeLogs(bandPower(spectrum(segmentOf(shape)), bandsOf(shape)), out, at),
});

/**
 * 'logspectrum': log Welch spectrum per channel, bins from 1 to 45 Hz [channels × bins]; half-second steps, bins of 0.5
 * Hz from 2 s on.
 */
export const logSpectrumFamily: RecipeFamily = () => ({
  storable: true,
  dimension: (shape) => shape.channels * binsOf(shape).count,
  write({ shape, spectrum }, out, at) {
    const { power, frequenciesHz } = spectrum(segmentOf(shape));
    const { first, count } = binsOf(shape);
    for (let c = 0; c < shape.channels; c++) {
      const from = c * frequenciesHz.length + first;
      writeLogs(power.subarray(from, from + count), out, at + c * count);
    }
  },
});

/** Samples of a Welch segment: 2 s, in short trials 1 s or the whole trial. */
export const segmentOf = ({ samples, rateHz }: SignalShape): number =>
  Math.min(samples, samples >= 2 * rateHz ? 2 * rateHz : rateHz);

/** The bands of 'logpower' that the signal holds. */
export function bandsOf(shape: SignalShape): [number, number][] {
  const bands = logPowerEdges.slice(1).map((high, i): [number, number] => [logPowerEdges[i], high]);
  return bands.filter(([low, high]) => high <= Math.max(usableHz(shape), 4) && high - low > 0);
}

/** Frequencies of the bins of 'logspectrum'. */
export function binsHz(shape: SignalShape): number[] {
  const { first, count } = binsOf(shape);
  return Array.from({ length: count }, (_, k) => ((first + k) * shape.rateHz) / segmentOf(shape));
}

function binsOf(shape: SignalShape): { first: number; count: number } {
  const width = shape.rateHz / segmentOf(shape);
  const first = Math.max(1, Math.ceil(1 / width - 1e-9));
  return { first, count: Math.max(1, Math.floor(Math.min(45, usableHz(shape)) / width + 1e-9) - first + 1) };
}

function writeLogs(power: Float64Array, out: Float64Array, at: number): void {
  for (let i = 0; i < power.length; i++) out[at + i] = Math.log(Math.max(power[i], floor));
}
