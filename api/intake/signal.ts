import { count } from '../../infra/contract/quote.ts';
import { limits, windowsPerTrial } from '../../infra/contract/limits.ts';
import type { SignalReport } from '../../infra/contract/task-model.ts';
import type { Finding } from '../../ml/types.ts';
import { times, type Problem } from './problems.ts';
import { tooLarge, tooManyTrials, type Shape } from './shape.ts';

/** Samples of a trial after resampling, for the limit check before resampling. */
export type ResampledLength = (samples: number, fromHz: number, toHz: number) => number;

/** Billed windows of a whole request (design, "billed windows of a trial"). */
export const windowsOf = ([trials, , samples]: Shape, rateHz: number): number =>
  trials * windowsPerTrial(samples, rateHz);

/** The limits of the whole signal: numbers after resampling, and four-second windows (spec, "Limits"). */
export function sizeProblems(shape: Shape, rateHz: number, resampledLength: ResampledLength): Problem[] {
  const problems: Problem[] = [];
  const [trials, channels, samples] = shape;
  const seconds = Math.round((samples / rateHz) * 1000) / 1000;
  const windows = windowsOf(shape, rateHz);
  if (windows > limits.windowsPerRequest) {
    const each = windowsPerTrial(samples, rateHz);
    const counted = each === 1 ? '' : ` of ${seconds} s = ${count(windows)} four-second windows`;
    problems.push(tooManyTrials(trials, counted));
  }
  if (tooLarge(shape)) return problems;
  const after = resampledLength(samples, rateHz, limits.workingRateHz);
  const numbers = trials * channels * after;
  if (numbers > limits.numbersPerRequest) {
    problems.push({
      field: 'x',
      code: 'PAYLOAD_TOO_LARGE',
      message:
        `x has ${times(shape)} = ${count(trials * channels * samples)} numbers at ${rateHz} Hz, which are ` +
        `${times([trials, channels, after])} = ${count(numbers)} after resampling to ${limits.workingRateHz} ` +
        `Hz; at most ${count(limits.numbersPerRequest)} are allowed. Send fewer trials at a time (with ` +
        `\`defer_fit\` over several requests), or shorter ones.`,
    });
  }
  return problems;
}

export interface ReportInput {
  readonly shape: Shape;
  readonly rateHz: number;
  readonly units: string;
  readonly renamed: Readonly<Record<string, string>>;
  readonly findings: readonly Finding[];
}

/** Changes to the signal, for the answer (spec, "the response reports what was done"). */
export function signalReport({ shape, rateHz, units, renamed, findings }: ReportInput): SignalReport {
  const [trials, channels, samples] = shape;
  return {
    sampling_rate_hz: rateHz,
    resampled_to_hz: limits.workingRateHz,
    trials,
    channels,
    samples_per_trial: samples,
    seconds_per_trial: Math.round((samples / rateHz) * 1e6) / 1e6,
    units,
    renamed_channels: renamed,
    warnings: findings.map(({ message }) => message),
  };
}
