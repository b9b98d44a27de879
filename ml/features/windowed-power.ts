import { bandPower, welchAt } from '../signal/index.ts';
import type { Spectrum } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { bandsOf, floor, segmentOf } from './power-sets.ts';

/** Length of a window in seconds; a longer trial is read in windows and averaged. */
export const windowSeconds = 4;

/** Windows overlap by at most seven eighths: smaller steps add no information, and their cost has no limit. */
const leastStepSeconds = windowSeconds / 8;

/** Starts and length of the windows of a trial, in samples. They are `strideSeconds` apart; default: no overlap. */
export function windowsOf({ samples, rateHz, strideSeconds }: SignalShape): { starts: number[]; length: number } {
  const length = Math.min(samples, windowSeconds * rateHz);
  const step = Math.round(Math.max(leastStepSeconds, strideSeconds ?? windowSeconds) * rateHz);
  return { starts: Array.from({ length: 1 + Math.floor((samples - length) / step) }, (_, i) => i * step), length };
}

/** Rows [rows × samples] to be read in windows. */
export interface WindowedSignal {
  readonly rows: number;
  /** Address of the rows in groups. */
  at(): number;
  /** Welch spectrum of the whole trial. */
  spectrum(segment: number): Spectrum;
}

/**
 * Log mean power density [rows × bands of 'logpower'], averaged over the windows of the trial, so that one bad window
 * has no more weight than any other.
 */
export function windowedLogPower({ rows, at, spectrum: whole }: WindowedSignal, shape: SignalShape): Float64Array {
  const { samples, rateHz } = shape;
  const { starts, length } = windowsOf(shape);
  const segment = segmentOf({ ...shape, samples: length });
  const bands = bandsOf(shape);
  const out = new Float64Array(rows * bands.length);
  for (const from of starts) {
    const spectrum =
      length === samples ? whole(segment) : welchAt({ at: at(), rows, samples, rateHz }, segment, { from, length });
    const power = bandPower(spectrum, bands);
    for (let i = 0; i < out.length; i++) out[i] += Math.log(Math.max(power[i], floor)) / starts.length;
  }
  return out;
}
