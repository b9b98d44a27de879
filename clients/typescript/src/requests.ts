import { RefusedError } from './errors.ts';
import { trialsPerRequest } from './limits.ts';
import { encodeTrials, packTrials, takeTrials, type PackedTrials, type TrialsInput } from './trials.ts';
import type { BatchRequest, CreateRequest, PredictRequest, ZeroShotRequest } from './types.ts';

/** Trials with labels, and all that a create says of them. */
export type CreateInput = Omit<CreateRequest, 'x' | 'shape' | 'defer_fit' | 'dry_run'> & TrialsInput;
/** A batch of a deferred fit. */
export type BatchInput = Omit<BatchRequest, 'x' | 'shape'> & TrialsInput;
/** Trials without labels. */
export type PredictInput = Omit<PredictRequest, 'x' | 'shape'> & TrialsInput;
/** A task without trials. */
export type ZeroShotInput = Omit<ZeroShotRequest, 'mode' | 'dry_run'>;

type Fields = Pick<PredictInput, 'sampling_rate_hz' | 'normalization_context'> &
  Partial<Pick<CreateInput, 'labels' | 'sessions'>>;

/** A request whose trials are packed, and may be taken apart. */
export interface PackedRequest {
  readonly trials: PackedTrials;
  /** How many of its trials one request takes. */
  readonly perRequest: number;
  /** The body with these of its trials, or with all of them. */
  body(indices?: readonly number[]): Record<string, unknown>;
}

/** Of a list with an entry for each trial, those of some trials; other values are as they are. */
const taken = <T>(list: readonly T[] | null | undefined, indices: readonly number[]) =>
  list?.map ? indices.map((index) => list[index]) : list;

/** Fields that have an entry for each trial, for these trials alone. */
function perTrial({ labels, sessions, normalization_context: context }: Fields, indices: readonly number[]) {
  const grouped = Object.entries(context ?? {}).map(([name, list]) => [name, taken(list, indices)]);
  return {
    ...(labels === undefined ? {} : { labels: taken(labels, indices) }),
    ...(sessions === undefined ? {} : { sessions: taken(sessions, indices) }),
    ...(context ? { normalization_context: Object.fromEntries(grouped) as object } : {}),
  };
}

/** Packs the trials of a request. Throws RefusedError where they are not trials, or labels are not one per trial. */
export function packRequest(input: Fields & TrialsInput): PackedRequest {
  const { x, shape, ...fields } = input;
  const trials = packTrials({ x, shape });
  const { labels, sessions, sampling_rate_hz: samplingRateHz } = input;
  for (const [field, list] of Object.entries({ labels, sessions })) {
    if (list && list.length !== trials.trials)
      throw new RefusedError('INVALID_REQUEST', `${field}: has ${list.length} entries for ${trials.trials} trials.`, {
        field,
      });
  }
  return {
    trials,
    perRequest: trialsPerRequest({ channels: trials.channels, samples: trials.samples, samplingRateHz }),
    body: (indices) =>
      indices
        ? { ...fields, ...perTrial(input, indices), ...encodeTrials(takeTrials(trials, indices)) }
        : { ...fields, ...encodeTrials(trials) },
  };
}

/** The body of a request that must hold all of its trials. */
export function wholeBody(input: Fields & TrialsInput, instead: string): Record<string, unknown> {
  const request = packRequest(input);
  const { trials, perRequest } = request;
  if (trials.trials <= perRequest) return request.body();
  throw new RefusedError(
    'PAYLOAD_TOO_LARGE',
    `x: has ${trials.trials} trials of ${trials.channels} channels × ${trials.samples} samples; one request takes ` +
      `${perRequest} of them. ${instead}`,
    { field: 'x' },
  );
}
