import { decodeFormat, encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';
import type { StagedTrials, StoredBatch } from '../../infra/contract/fit-request.ts';
import { silentChannels } from '../../ml/checks/index.ts';
import type { Encoders } from '../../ml/encoders/types.ts';
import { readFeatures, silenced } from '../../ml/features/index.ts';
import { rowsOfEach } from '../../ml/rows.ts';
import { pinsOfFeatures } from '../../ml/pins/index.ts';
import { storedFormat } from '../../ml/train/index.ts';
import type { Features, SignalShape, Trials } from '../../ml/types.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { atFormRate, lasting, ofFormLength, type Formed } from './form.ts';
import { readFirst } from './read-first.ts';
import { scaleNotes } from './scale.ts';

export interface LabelledTrials {
  /** Object name to write. */
  readonly name: string;
  readonly trials: Trials;
  readonly labels: readonly string[];
  readonly sessions: readonly (string | null)[] | null;
  /** Name of each trial's recording by `normalization_context`. */
  readonly recordings?: readonly string[] | null;
  /** What the create chose; absent: balanced. */
  readonly priors?: StagedTrials['priors'];
  /** What links the trials, where that is known. */
  readonly links?: StagedTrials['links'];
}

export interface BatchToStore extends LabelledTrials {
  /** Sets to extract for the first batch; later ones extract what it has, at its versions. */
  readonly featureSets?: readonly string[];
  /** Object name of the model's first batch. */
  readonly like?: string;
  /** Encoders make some of the sets, which the thread waits for; absent: as `featureSets` says. */
  readonly readsEncoders?: boolean;
  /** Channel names of the model: rows are brought into this order. */
  readonly channels: readonly string[];
}

export interface StoredBatchReport {
  /** For the caller, in sentences. */
  readonly notes: readonly string[];
  readonly pins: readonly string[];
  /** Of the object that was written. */
  readonly bytes: number;
  /** What was written: of a first batch all that later ones will have, and that the fit can read. */
  readonly featureSets: readonly string[];
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

/** Throws INVALID_REQUEST when the trials of a batch last longer or shorter than those of the first one. */
function requireLength({ samples, rateHz }: Trials, first: SignalShape): void {
  if (samples === first.samples) return;
  throw invalidField(
    'x',
    `The trials of x last ${lasting(samples, rateHz)}; the first batch of this model has trials of ` +
      `${lasting(first.samples, rateHz)}. All batches need the same length.`,
  );
}

/** Batches of one model go through one resampler; the caller of the task sees to it. */
function requireResampler({ resampler }: Trials, first: SignalShape): void {
  if (first.resampler === resampler) return;
  throw new Error(
    `The trials went through version ${resampler} of the resampler, the first batch through ${first.resampler}.`,
  );
}

/** Trials of a later batch in the form of the first one. Throws INVALID_REQUEST where they cannot be brought to it. */
function likeFirst(trials: Trials, { shape, sets, versions }: Features): Formed {
  requireResampler(trials, shape);
  const form = { shape, featureSets: Object.keys(sets), featureVersions: versions };
  const { trials: long, notes } = ofFormLength(trials, form);
  requireLength(long, shape);
  const { trials: formed, notes: more } = atFormRate(likeFitted(long, shape), form);
  return { trials: formed, notes: [...notes, ...more, ...scaleNotes(trials.scale, shape.scale)] };
}

export function createFeatureTasks(store: ObjectStore, encoders: Encoders) {
  return {
    /** Writes the trials of an immediate create for the job's first activity (design, decision 6). */
    async stage({ name, trials, labels, sessions, recordings = null, priors, links }: LabelledTrials): Promise<void> {
      const staged: StagedTrials = {
        format: 2,
        trials,
        labels,
        sessions,
        recordings,
        ...(priors && { priors }),
        ...(links !== undefined && { links }),
      };
      await store.create(name, encode(staged));
    },
    /**
     * Writes the features of one deferred batch, never its signal. Returns what was done to give it the form of the
     * first one, or which encoders are lost to the first one, with the sets that were written and their pins.
     */
    async storeBatch({
      name,
      trials,
      labels,
      sessions,
      recordings = null,
      priors,
      featureSets,
      like,
      channels,
    }: BatchToStore): Promise<StoredBatchReport> {
      const first = like === undefined ? null : decodeFormat<StoredBatch>(await store.get(like), storedFormat, 'batch');
      const ordered = inChannelOrder(trials, channels);
      const { trials: formed, notes } = first ? likeFirst(ordered, first.features) : { trials: ordered, notes: [] };
      const heard = silenced(formed, silentChannels(formed));
      const { versions, standards = {} } = first?.features ?? {};
      const reading = { encoders, recordings: rowsOfEach(recordings ?? sessions), versions, standards };
      const { features, lost } = first
        ? { features: await readFeatures(heard, Object.keys(first.features.sets), reading), lost: [] }
        : await readFirst(heard, featureSets ?? [], reading);
      const { flat, fingerprints } = formed;
      const batch: StoredBatch = {
        format: storedFormat,
        features,
        labels,
        sessions,
        recordings,
        ...(flat ? { flat } : {}),
        ...(fingerprints ? { fingerprints } : {}),
        ...(priors && { priors }),
      };
      const encoded = encode(batch);
      await store.create(name, encoded);
      return {
        notes: [...notes, ...lost],
        pins: pinsOfFeatures(batch),
        bytes: encoded.byteLength,
        featureSets: Object.keys(features.sets),
      };
    },
  };
}
