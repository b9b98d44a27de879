import { decodeFormat, encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { StagedTrials, StoredBatch, StoredPart } from '../../infra/contract/fit-request.ts';
import { silentChannels } from '../../ml/checks/index.ts';
import type { Encoders } from '../../ml/encoders/types.ts';
import {
  currentVersions,
  dimensionOf,
  encodeTrials,
  extractFeatures,
  isEncoded,
  shapeOf,
  silenced,
  versionsOf,
  type FeatureVersions,
} from '../../ml/features/index.ts';
import { pinsOfFeatures } from '../../ml/pins/index.ts';
import { range, rowsOfEach, takeRows } from '../../ml/rows.ts';
import { storedFormat } from '../../ml/train/index.ts';
import type { FeatureForm, SignalShape, Trials } from '../../ml/types.ts';
import { inChannelOrder, likeFitted } from './channel-order.ts';
import { atFittedSites } from './at-fitted-sites.ts';
import { atFormRate, lasting, ofFormLength, type Formed } from './form.ts';
import { encodeFirst } from './encode-first.ts';
import { scaleNotes } from './scale-notes.ts';

/** Bytes of the feature tables in one part of a batch, unless one trial is larger. */
const partBytes = 16 * 1024 * 1024;

export interface LabelledTrials {
  /** The object's name. */
  readonly name: string;
  readonly trials: Trials;
  readonly labels: readonly string[];
  readonly sessions: readonly (string | null)[] | null;
  /** Recording of each trial by `normalization_context`. */
  readonly recordings?: readonly string[] | null;
  /** Class priors of the create; absent: balanced. */
  readonly priors?: StagedTrials['priors'];
  /** Links between the trials, if known. */
  readonly links?: StagedTrials['links'];
}

export interface BatchToStore extends LabelledTrials {
  /** Sets to extract from the first batch. Later batches get the sets and versions of the first. */
  readonly featureSets?: readonly string[];
  /** Object name of the model's first batch. */
  readonly like?: string;
  /**
   * Whether encoders extract some of the sets, so that the thread waits for them; absent: derived from `featureSets`.
   */
  readonly readsEncoders?: boolean;
  /** Channel names of the model. The rows are brought into this order. */
  readonly channels: readonly string[];
}

export interface StoredBatchReport {
  /** Sentences for the caller. */
  readonly notes: readonly string[];
  readonly pins: readonly string[];
  /** Bytes of the written objects. */
  readonly bytes: number;
  /** Sets that were written. The sets of the first batch are those of all later batches and of the fit. */
  readonly featureSets: readonly string[];
}

/** Throws INVALID_REQUEST if the trials of a batch are longer or shorter than those of the first batch. */
function requireLength({ samples, rateHz }: Trials, first: SignalShape): void {
  if (samples === first.samples) return;
  throw invalidField(
    'x',
    `The trials of x last ${lasting(samples, rateHz)}; the first batch of this model has trials of ` +
      `${lasting(first.samples, rateHz)}. All batches need the same length.`,
  );
}

/** All batches of a model use one resampler. The caller of the task is responsible for it. */
function requireResampler({ resampler }: Trials, first: SignalShape): void {
  if (first.resampler === resampler) return;
  throw new Error(
    `The trials went through version ${resampler} of the resampler, the first batch through ${first.resampler}.`,
  );
}

/** Converts trials of a later batch to the form of the first one. Throws INVALID_REQUEST if that is not possible. */
function likeFirst(trials: Trials, { shape, sets, versions }: FeatureForm): Formed {
  requireResampler(trials, shape);
  const form = { shape, featureSets: Object.keys(sets), featureVersions: versions };
  const { trials: long, notes } = ofFormLength(trials, form);
  requireLength(long, shape);
  const sited = atFittedSites(likeFitted(long, shape), form);
  const { trials: formed, notes: more } = atFormRate(sited.trials, form);
  return { trials: formed, notes: [...notes, ...sited.notes, ...more, ...scaleNotes(trials.scale, shape.scale)] };
}

/** Feature tables [trials × values] by their ids, and the number of values per trial of each. */
interface Tables {
  readonly sets: Readonly<Record<string, number>>;
  /** Tables of the encoders, for all trials. */
  readonly encoded: Readonly<Record<string, Float64Array>>;
  readonly versions: FeatureVersions;
}

/** Number of trials in each part. */
function partsOf(trials: number, sets: Tables['sets']): number[] {
  const bytes = Float64Array.BYTES_PER_ELEMENT * Object.values(sets).reduce((sum, values) => sum + values, 0);
  const trialsPerPart = Math.max(1, Math.floor(partBytes / Math.max(1, bytes)));
  const parts = Math.ceil(trials / trialsPerPart);
  return Array.from({ length: parts }, (_, at) => Math.min(trialsPerPart, trials - at * trialsPerPart));
}

/** Features of the trials `from` … `from + count − 1`. */
function partOf(trials: Trials, { sets, encoded, versions }: Tables, from: number, count: number): StoredPart {
  const size = trials.channels * trials.samples;
  const data = trials.data.subarray(from * size, (from + count) * size);
  const written = Object.keys(sets).filter((id) => !encoded[id]);
  const features = extractFeatures({ ...trials, data, trials: count }, written, versions);
  const rows = range(count).map((row) => from + row);
  const made = Object.entries(encoded).map(([id, table]) => [id, takeRows(table, sets[id], rows)] as const);
  return { format: storedFormat, sets: { ...features.sets, ...Object.fromEntries(made) } };
}

export function createStoreBatch(store: ObjectStore, encoders: Encoders) {
  /**
   * Writes the features in parts, then `batch`, which names the parts. Returns the bytes of all objects. Deletes all of
   * them if a write fails.
   */
  async function write(name: string, trials: Trials, batch: StoredBatch, tables: Tables): Promise<number> {
    let written = 0;
    const create = async (object: string, value: StoredBatch | StoredPart): Promise<void> => {
      const bytes = encode(value);
      await store.create(object, bytes);
      written += bytes.byteLength;
    };
    try {
      let from = 0;
      for (const [part, count] of batch.parts.entries()) {
        await create(objectNames.batchPart(name, part), partOf(trials, tables, from, count));
        from += count;
      }
      await create(name, batch);
      return written;
    } catch (error) {
      await store.deletePrefix(name).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Stores the features of one deferred batch, never its signal. Returns the changes that gave it the form of the first
   * batch, or the encoders that failed on the first batch, with the written sets and their pins.
   */
  return async ({
    name,
    trials,
    labels,
    sessions,
    recordings = null,
    priors,
    featureSets = [],
    like,
    channels,
  }: BatchToStore): Promise<StoredBatchReport> => {
    const first = like === undefined ? null : decodeFormat<StoredBatch>(await store.get(like), storedFormat, 'batch');
    const ordered = inChannelOrder(trials, channels);
    const { trials: formed, notes } = first ? likeFirst(ordered, first.features) : { trials: ordered, notes: [] };
    const silencedTrials = silenced(formed, silentChannels(formed));
    const requested = first ? Object.keys(first.features.sets) : featureSets;
    const versions = first?.features.versions ?? currentVersions(requested);
    const reading = { encoders, recordings: rowsOfEach(recordings ?? sessions), versions };
    const read = requested.filter(isEncoded);
    const {
      tables: encoded,
      standards,
      failures,
    } = first
      ? {
          ...(await encodeTrials(silencedTrials, read, { ...reading, standards: first.features.standards })),
          failures: [],
        }
      : await encodeFirst(silencedTrials, read, reading);
    const ids = requested.filter((id) => !isEncoded(id) || encoded[id]);
    const shape = shapeOf(silencedTrials);
    const valuesOf = (id: string): number =>
      encoded[id] ? encoded[id].length / silencedTrials.trials : dimensionOf(id, versions, shape);
    const sets = Object.fromEntries(ids.map((id) => [id, valuesOf(id)]));
    const tables = { sets, encoded, versions: versionsOf(ids, versions) };
    const { flat, fingerprints } = formed;
    const batch: StoredBatch = {
      format: storedFormat,
      features: {
        trials: silencedTrials.trials,
        shape,
        sets,
        versions: tables.versions,
        ...(Object.keys(standards).length > 0 && { standards }),
      },
      parts: partsOf(silencedTrials.trials, sets),
      labels,
      sessions,
      recordings,
      ...(flat ? { flat } : {}),
      ...(fingerprints ? { fingerprints } : {}),
      ...(priors && { priors }),
    };
    const bytes = await write(name, silencedTrials, batch, tables);
    return { notes: [...notes, ...failures], pins: pinsOfFeatures(batch), bytes, featureSets: ids };
  };
}
