import { limits } from '../../infra/contract/limits.ts';
import type { SignalReport } from '../../infra/contract/task-model.ts';
import type { Shape } from './shape.ts';

export interface ReportInput {
  readonly shape: Shape;
  readonly rateHz: number;
  readonly units: string;
  readonly renamed: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** What was done to the signal, for the answer (spec, "the response reports what was done"). */
export function signalReport({ shape, rateHz, units, renamed, warnings }: ReportInput): SignalReport {
  const [trials, channels, samples] = shape;
  const low = rateHz < 100 ? [`The sampling rate of ${rateHz} Hz leaves nothing above ${rateHz / 2} Hz.`] : [];
  return {
    sampling_rate_hz: rateHz,
    resampled_to_hz: limits.workingRateHz,
    trials,
    channels,
    samples_per_trial: samples,
    seconds_per_trial: Math.round((samples / rateHz) * 1e6) / 1e6,
    units,
    renamed_channels: renamed,
    warnings: [...low, ...warnings],
  };
}
