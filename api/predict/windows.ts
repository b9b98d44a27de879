import type { FittedModel } from '../../ml/train/index.ts';
import type { SignalShape, Trials } from '../../ml/types.ts';
import { dimensionOf } from '../../ml/features/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { lasting } from '../intake/form.ts';

/** Limit on the numbers in overlapping windows of one request. */
const maxNumbers = 16_000_000;

export interface Windowed {
  /** [trials·perTrial × channels × samples of the model], the windows of each trial in order. */
  readonly trials: Trials;
  readonly perTrial: number;
  /** How trials were cut, as sentences with numbers. */
  readonly notes: readonly string[];
}

/** Throws INVALID_REQUEST for trials that are shorter than the model's. */
export function requireLength({ samples, rateHz }: Trials, { shape }: FittedModel): void {
  if (samples >= shape.samples) return;
  throw invalidField(
    'x',
    `The trials of x last ${lasting(samples, rateHz)}; the model was fitted on trials of ` +
      `${lasting(shape.samples, rateHz)} and needs at least that length.`,
  );
}

/**
 * Cuts trials that are longer than the model's into windows of the model's length, `strideSeconds` apart (default: no
 * overlap). Trials of less than twice that length are used whole if the model's features allow it.
 */
export function cutWindows(trials: Trials, model: FittedModel, strideSeconds: number | null): Windowed {
  const { samples: fitted, rateHz } = model.shape;
  if (!(fitted >= 1)) throw new RangeError(`A model of trials of ${fitted} samples cuts no windows.`);
  const { samples, channels } = trials;
  if (samples === fitted) return { trials, perTrial: 1, notes: [] };
  const sameFeatures = model.featureSets.every((id) => {
    const dimension = (shape: SignalShape): number => dimensionOf(id, model.featureVersions, shape);
    return dimension(model.shape) === dimension({ ...model.shape, samples });
  });
  const sent = `Trials of ${lasting(samples, rateHz)}`;
  const each = `${sent} are longer than the ${lasting(fitted, rateHz)} of the model's trials`;
  if (samples < 2 * fitted && strideSeconds === null && sameFeatures)
    return { trials, perTrial: 1, notes: [`${each}; they were read whole.`] };
  const stride = strideSeconds === null ? fitted : Math.max(1, Math.round(strideSeconds * rateHz));
  const perTrial = 1 + Math.floor((samples - fitted) / stride);
  const count = trials.trials * perTrial;
  if (count * channels * fitted > maxNumbers) {
    const windows = Math.max(1, Math.floor(maxNumbers / (trials.trials * channels * fitted)) - 1);
    const least = Math.ceil((samples - fitted) / windows) / rateHz;
    throw new ApiError(
      'INVALID_REQUEST',
      `stride_seconds of ${strideSeconds} makes ${count} windows of ${channels} × ${fitted} numbers; at most ${maxNumbers} numbers are allowed.`,
      { field: 'stride_seconds', alternatives: [{ stride_seconds: Math.ceil(least * 1000) / 1000 }] },
    );
  }
  const data = new Float32Array(count * channels * fitted);
  for (let trial = 0; trial < trials.trials; trial++) {
    for (let window = 0; window < perTrial; window++) {
      for (let channel = 0; channel < channels; channel++) {
        const from = (trial * channels + channel) * samples + window * stride;
        data.set(
          trials.data.subarray(from, from + fitted),
          ((trial * perTrial + window) * channels + channel) * fitted,
        );
      }
    }
  }
  const seconds = Math.round((fitted / rateHz) * 1000) / 1000;
  const unread = Math.round(((samples - fitted - (perTrial - 1) * stride) / rateHz) * 1000) / 1000;
  const windows =
    perTrial === 1 ? `the first ${seconds} s of each were` : `${perTrial} windows of ${seconds} s each were`;
  const rest = unread > 0 ? `, the last ${unread} s were not` : '';
  return {
    trials: { ...trials, data, trials: count, samples: fitted },
    perTrial,
    notes: [`${each}; ${windows} read${rest}.`],
  };
}

/** Mean probabilities of each trial's windows. [trials × classes] */
export function meanOfWindows(probabilities: Float64Array, perTrial: number, classes: number): Float64Array {
  if (perTrial === 1) return probabilities;
  const out = new Float64Array(probabilities.length / perTrial);
  for (let i = 0; i < probabilities.length; i++) {
    const window = Math.floor(i / classes);
    out[Math.floor(window / perTrial) * classes + (i % classes)] += probabilities[i] / perTrial;
  }
  return out;
}
