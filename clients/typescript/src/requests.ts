import { RefusedError } from './errors.ts';
import { trialsPerRequest } from './limits.ts';
import { encodeTrials, packTrials, takeTrials, type PackedTrials, type TrialsInput } from './trials.ts';
import type { BatchRequest, CreateRequest, PredictRequest, ZeroShotRequest } from './schema-types.ts';

/** A create: labelled trials and the description of the task. */
export type CreateInput = Omit<CreateRequest, 'x' | 'shape' | 'defer_fit' | 'dry_run'> & TrialsInput;
/** A batch of labelled trials for a collecting model. */
export type BatchInput = Omit<BatchRequest, 'x' | 'shape'> & TrialsInput;
/** A prediction: trials without labels. */
export type PredictInput = Omit<PredictRequest, 'x' | 'shape'> & TrialsInput;
/** A create without trials. */
export type ZeroShotInput = Omit<ZeroShotRequest, 'mode' | 'dry_run'>;

type Fields = Pick<PredictInput, 'sampling_rate_hz' | 'normalization_context'> &
  Partial<Pick<CreateInput, 'labels' | 'sessions'>>;

/** A request whose trials are in one array, so that parts of them can be sent. */
export interface PackedRequest {
  readonly trials: PackedTrials;
  /** Largest number of its trials in one request. */
  readonly perRequest: number;
  /** The body with the trials of these indices; without indices, with all trials. */
  body(indices?: readonly number[]): Record<string, unknown>;
}

/** The entries of a list at some indices; a value that is no list is returned unchanged. */
const taken = <T>(list: readonly T[] | null | undefined, indices: readonly number[]) =>
  list?.map ? indices.map((index) => list[index]) : list;

/** The fields with one entry per trial, for the trials of these indices. */
function perTrial({ labels, sessions, normalization_context: context }: Fields, indices: readonly number[]) {
  const grouped = Object.entries(context ?? {}).map(([name, list]) => [name, taken(list, indices)]);
  return {
    ...(labels === undefined ? {} : { labels: taken(labels, indices) }),
    ...(sessions === undefined ? {} : { sessions: taken(sessions, indices) }),
    ...(context ? { normalization_context: Object.fromEntries(grouped) as object } : {}),
  };
}

/**
 * Puts the trials of a request into one array. Throws RefusedError for malformed trials or a wrong number of labels.
 */
export function packRequest(input: Fields & TrialsInput): PackedRequest {
  const { x, shape, ...fields } = input;
  const trials = packTrials({ x, shape });
  const { labels, sessions, sampling_rate_hz: samplingRateHz } = input;
  for (const [field, list] of Object.entries({ labels, sessions })) {
    if (list && list.length !== trials.trials)
      throw new RefusedError(
        'INVALID_REQUEST',
        `${field}: has ${list.length} entries for ${trials.trials} trials. Give one entry per trial.`,
        {
          field,
        },
      );
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

/** The body with all trials. Throws RefusedError, with the advice, if one request cannot contain them. */
export function wholeBody(input: Fields & TrialsInput, advice: string): Record<string, unknown> {
  const request = packRequest(input);
  const { trials, perRequest } = request;
  if (trials.trials <= perRequest) return request.body();
  throw new RefusedError(
    'PAYLOAD_TOO_LARGE',
    `x: has ${trials.trials} trials of ${trials.channels} channels × ${trials.samples} samples; one request can ` +
      `contain ${perRequest} of them. ${advice}`,
    { field: 'x' },
  );
}
