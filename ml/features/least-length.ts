import { mlLimits } from '../limits.ts';
import type { DatasetShape } from '../types.ts';
import { parseBand } from './bands.ts';
import type { Band } from './bands.ts';
import { sineBand } from './cca-set.ts';
import { fewestCoefficients, storedHz } from './cosine-set.ts';
import { bandIn, mostCopies, stackedWidthHz } from './covariance-sets.ts';
import { courseSeconds, fineSeconds } from './erp-sets.ts';
import { windowSeconds as eyesSeconds } from './eyes-set.ts';
import { bankWidthHz } from './filter-bank-set.ts';
import { besideHz } from './mains-set.ts';
import { besideMainsHz } from './muscles-set.ts';
import { logPowerStepHz, logSpectrumStepHz } from './power-sets.ts';
import { segmentSeconds as sleepSeconds } from './sleep-set.ts';
import { windowSeconds as slowSeconds } from './slow-set.ts';

/** The least length of a trial for a feature set, and the need that it follows from, in words. */
interface LeastLength {
  readonly seconds: number;
  readonly why: string;
}

type Rule = (args: string, sourceRateHz: number) => LeastLength;

/**
 * Fewest independent values of a trial for a covariance. The number of channels does not matter, because the covariance
 * is shrunk. Measured: with 5 values a trial (8–32 Hz, 0.1 s), logistic regression in the tangent space told simulated
 * classes of different covariances apart in 0.91, 0.82 and 0.88 of new trials (8, 64 and 128 channels), and eyes open
 * from closed in 0.87 of the trials of a real recording with 64 channels.
 */
const fewestValues = 4;
/** Fewest periods in which a sine can be told from a trend. */
const fewestPeriods = 1.5;

const shown = (value: number): string => String(Math.round(value * 1000) / 1000);

/** A band of width B gives 2·B independent values a second. */
const values = ({ lowHz, highHz }: Band): LeastLength => {
  const width = highHz - (lowHz ?? 0);
  return {
    seconds: fewestValues / (2 * width),
    why: `${fewestValues} independent values, and a band of ${shown(width)} Hz has ${shown(2 * width)} in a second`,
  };
};

/** A trial of T seconds has a resolution of 1/T Hz. */
const resolution = (hz: number): LeastLength => ({ seconds: 1 / hz, why: `a resolution of ${shown(hz)} Hz` });

const inTurn = (count: number, seconds: number): LeastLength => ({
  seconds: count * seconds,
  why: `${count} windows of ${shown(seconds)} s`,
});

const overlapping = (seconds: number): LeastLength => ({
  seconds: 1.5 * seconds,
  why: `2 windows of ${shown(seconds)} s that overlap by half`,
});

const periods = (hz: number, copies = 1): LeastLength => ({
  seconds: (copies * fewestPeriods) / hz,
  why:
    `${fewestPeriods} periods of ${shown(hz)} Hz` + (copies > 1 ? ` for each of up to ${copies} delayed copies` : ''),
});

/** Rules by feature set, or by its first part if the rest is an argument. */
const rules: Readonly<Record<string, Rule>> = {
  cov: (args, sourceRateHz) => values(bandIn(parseBand(args), { sourceRateHz, rateHz: mlLimits.workingRateHz })),
  fbcov: () => values({ lowHz: null, highHz: bankWidthHz }),
  acm: (args) => periods(parseBand(args).lowHz!, mostCopies),
  ssvep: () => resolution(stackedWidthHz),
  cca: () => periods(sineBand.lowHz),
  fbcca: () => periods(sineBand.lowHz),
  logpower: () => resolution(logPowerStepHz),
  'sites19/logpower': () => resolution(logPowerStepHz),
  'laplacian/logpower': () => resolution(logPowerStepHz),
  logspectrum: () => resolution(logSpectrumStepHz),
  'erp/windows': () => inTurn(2, courseSeconds),
  // Covariances are computed from these windows.
  'erp/windows/40': () => inTurn(fewestValues, fineSeconds),
  slow: () => inTurn(2, slowSeconds),
  cosines: () => ({
    seconds: fewestCoefficients / (2 * storedHz),
    why: `${fewestCoefficients} cosines in a band of ${storedHz} Hz`,
  }),
  sleep: () => overlapping(sleepSeconds),
  eyes: () => overlapping(eyesSeconds),
  muscles: () => resolution(2 * besideMainsHz),
  mains: () => resolution(2 * besideHz),
};

/**
 * The least length of a trial from which a feature set can be computed, in whole milliseconds, rounded up. Undefined if
 * the set has no rule: an encoder reads windows of its own length, and a baseline has the length that the caller names.
 */
export function leastLength(
  set: string,
  { sourceRateHz }: Pick<DatasetShape, 'sourceRateHz'>,
): LeastLength | undefined {
  const [family] = set.split('/');
  const rule = rules[set] ?? rules[family];
  if (!rule) return undefined;
  const { seconds, why } = rule(set.slice(family.length + 1), sourceRateHz);
  return { seconds: Math.ceil(1000 * seconds - 1e-6) / 1000, why };
}
