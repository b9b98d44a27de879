import { decodeFormat, encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';
import type { StagedTrials, StoredBatch } from '../../infra/contract/fit-request.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { pinsOfFeatures } from '../../ml/pins/index.ts';
import { dataWarnings, storedFormat } from '../../ml/train/index.ts';
import type { SignalShape, Trials } from '../../ml/types.ts';
import { ApiError } from '../../infra/contract/errors.ts';

export interface LabelledTrials {
  /** Object name to write. */
  readonly name: string;
  readonly trials: Trials;
  readonly labels: readonly string[];
  readonly sessions: readonly (string | null)[] | null;
  /** Name of each trial's recording by `normalization_context`. */
  readonly recordings?: readonly string[] | null;
}

export interface BatchToStore extends LabelledTrials {
  /** Sets to extract for the first batch; later ones extract what it has, at its versions. */
  readonly featureSets?: readonly string[];
  /** Object name of the model's first batch. */
  readonly like?: string;
  /** Channel names of the model: rows are brought into this order. */
  readonly channels: readonly string[];
}

/** Trials with their rows in the order of `names`, which are the same set. [trials × channels × samples] */
export function inChannelOrder(trials: Trials, names: readonly string[]): Trials {
  const order = names.map((name) => trials.channelNames.indexOf(name));
  if (order.every((row, at) => row === at)) return trials;
  const { channels, samples } = trials;
  const data = new Float32Array(trials.data.length);
  for (let trial = 0; trial < trials.trials; trial++) {
    const first = trial * channels;
    order.forEach((row, at) =>
      data.set(trials.data.subarray((first + row) * samples, (first + row + 1) * samples), (first + at) * samples),
    );
  }
  const { positions } = trials;
  return {
    ...trials,
    data,
    channelNames: [...names],
    ...(positions ? { positions: order.map((row) => positions[row]) } : {}),
  };
}

/** Trials with the positions and the stride of an earlier request where this one sends none: the same cap, read the same way. */
export const likeFitted = (
  trials: Trials,
  { positions, strideSeconds }: Pick<SignalShape, 'positions' | 'strideSeconds'> = {},
): Trials => ({
  ...(positions ? { positions } : {}),
  ...(strideSeconds === undefined ? {} : { strideSeconds }),
  ...trials,
});

/** Resampled trials of the same duration may differ by this many samples; they are cut to the length of the first batch. */
const tolerance = 4;

/** Trials of `samples` each; throws INVALID_REQUEST when their duration is another one. */
function withLength(trials: Trials, samples: number | undefined): Trials {
  if (samples === undefined || trials.samples === samples) return trials;
  const seconds = (count: number): string =>
    `${Math.round((count / trials.rateHz) * 1000) / 1000} s (${count} samples at ${trials.rateHz} Hz)`;
  if (trials.samples < samples || trials.samples > samples + tolerance) {
    throw new ApiError(
      'INVALID_REQUEST',
      `The trials of x last ${seconds(trials.samples)}; the first batch of this model has trials of ${seconds(samples)}. All batches need the same length.`,
      { field: 'x' },
    );
  }
  const rows = trials.trials * trials.channels;
  const data = new Float32Array(rows * samples);
  for (let row = 0; row < rows; row++)
    data.set(trials.data.subarray(row * trials.samples, row * trials.samples + samples), row * samples);
  return { ...trials, data, samples };
}

/** Batches of one model go through one resampler; the caller of the task sees to it. */
function requireResampler({ resampler }: Trials, first: SignalShape | undefined): void {
  if (first && first.resampler !== resampler)
    throw new Error(
      `The trials went through version ${resampler} of the resampler, the first batch through version ${first.resampler}.`,
    );
}

export function createFeatureTasks(store: ObjectStore) {
  return {
    /** Writes the trials of an immediate create for the job's first activity (design, decision 6). */
    async stage({ name, trials, labels, sessions, recordings = null }: LabelledTrials): Promise<void> {
      await store.put(name, encode({ format: 2, trials, labels, sessions, recordings } satisfies StagedTrials));
    },
    /** Writes the features of one deferred batch, never its signal. Returns what the signal gave reason to warn about, and the pins of the features. */
    async storeBatch({
      name,
      trials,
      labels,
      sessions,
      recordings = null,
      featureSets,
      like,
      channels,
    }: BatchToStore): Promise<{ warnings: readonly string[]; pins: readonly string[] }> {
      const first =
        like === undefined ? null : decodeFormat<StoredBatch>(await store.get(like), storedFormat, 'batch').features;
      const ordered = likeFitted(withLength(inChannelOrder(trials, channels), first?.shape.samples), first?.shape);
      requireResampler(ordered, first?.shape);
      const sets = first ? Object.keys(first.sets) : (featureSets ?? []);
      const warnings = dataWarnings(ordered);
      const features = extractFeatures(ordered, sets, first?.versions);
      const { flat } = ordered;
      const batch: StoredBatch = {
        format: storedFormat,
        features,
        labels,
        sessions,
        recordings,
        warnings,
        ...(flat ? { flat } : {}),
      };
      await store.put(name, encode(batch));
      return { warnings, pins: pinsOfFeatures(batch) };
    },
  };
}
