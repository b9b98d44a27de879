import type { CreateRequest } from '../contract/requests.ts';
import type { Problem } from './problems.ts';
import type { Shape } from './shape.ts';

const shown = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);

/** Rejects a baseline that is as long as the trials: nothing would be left to classify. */
export function baselineProblems(
  { parameters }: Partial<Pick<CreateRequest, 'parameters'>>,
  [, , samples]: Shape,
  rateHz: number,
): Problem[] {
  const baseline = parameters?.baseline_seconds ?? 0;
  const seconds = samples / rateHz;
  if (baseline < seconds) return [];
  return [
    {
      field: 'parameters.baseline_seconds',
      message:
        `parameters.baseline_seconds is ${shown(baseline)}, and each trial of x lasts ${shown(seconds)} s: the time ` +
        'before the cue must be shorter than the trial that it is part of.',
    },
  ];
}
