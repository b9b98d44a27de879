import { decodeFormat, encode } from '../../infra/drivers/codec.ts';
import type { StagedTrials } from '../../infra/contract/fit-request.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import { silentChannels } from '../../ml/checks/index.ts';
import { encodersOfProcess } from '../../infra/encoders/client.ts';
import {
  currentVersions,
  dimensionOf,
  extractFeatures,
  isEncoded,
  shapeOf,
  silenced,
  trialsAt,
} from '../../ml/features/index.ts';
import { linksInSteps, readByEncoders, sampledValues, sampleOf, trainingData } from '../../ml/train/index.ts';
import { rowsOfEach } from '../../ml/rows.ts';
import type { Steps } from '../../ml/steps.ts';
import type { FeatureForm, NetworkTask, TaskKind, Trials } from '../../ml/types.ts';
import { emptyTables, sharedCopy, withSharedTables, type JobData } from './job-data.ts';
import { withReferencePrior, type ReferenceFitOrReason } from './reference-fit-prior.ts';
import { liveTrials } from './live-trials.ts';

export interface StagedToUnpack {
  readonly staged: Uint8Array;
  readonly featureSets: readonly string[];
  readonly kind?: TaskKind;
  readonly network?: NetworkTask | null | undefined;
  readonly referenceFit?: ReferenceFitOrReason | null;
}

/** Trials whose features are to be extracted, and the data of the job with empty tables. */
export interface Unpacked {
  readonly trials: Trials;
  readonly data: JobData;
  /** Recording of each trial: encoders read the trials of one recording together. */
  readonly recordings: readonly (string | null)[] | null;
}

/** From the trials of a job to its features. */
export const dataTasks = {
  /**
   * Decodes the staged object. Removes flat trials, takes a sample if there are too many, marks silent channels, and
   * copies the signal to shared memory. Yields while it compares the trials.
   */
  *unpack({ staged, featureSets, kind, network, referenceFit }: StagedToUnpack): Steps<Unpacked> {
    const { trials: live, ...all } = liveTrials(decodeFormat<StagedTrials>(staged, 2, 'staged trials'));
    const { labels, sessions, recordings = null, priors } = all;
    const ids = featureSets.filter((id) => !isEncoded(id));
    const versions = currentVersions(ids);
    const sets = Object.fromEntries(ids.map((id) => [id, dimensionOf(id, versions, shapeOf(live))]));
    const sample = sampleOf({ labels, sessions }, sets);
    const { fingerprints, ...trials } = sample ? trialsAt(live, sample.rows) : live;
    const silencedTrials = silenced(trials, silentChannels(trials));
    const at = <T>(values: readonly T[]): readonly T[] => sampledValues(values, sample);
    const links =
      sample || all.links === undefined ? yield* linksInSteps([{ trials: trials.trials, fingerprints }]) : all.links;
    const form: FeatureForm = { trials: trials.trials, shape: shapeOf(silencedTrials), sets, versions };
    const options = {
      recordings: recordings && at(recordings),
      kind,
      links,
      levels: fingerprints?.levels,
      priors,
      network,
      sample,
    };
    const training = trainingData(emptyTables(form), at(labels), sessions && at(sessions), options);
    return {
      trials: { ...silencedTrials, data: sharedCopy(silencedTrials.data) },
      data: { format: 2, training: withReferencePrior(training, referenceFit) },
      recordings: options.recordings ?? (sessions && at(sessions)),
    };
  },

  /** Writes the features of the trials `from` … `to` − 1 into the tables of the job. */
  extract({ trials, data, from, to }: { trials: Trials; data: JobData; from: number; to: number }): void {
    const { sets, versions } = data.training.features;
    const size = trials.channels * trials.samples;
    const rowsOf = (table: Float64Array): Float64Array => {
      const width = table.length / trials.trials;
      return table.subarray(from * width, to * width);
    };
    extractFeatures(
      { ...trials, trials: to - from, data: trials.data.subarray(from * size, to * size) },
      Object.keys(sets),
      versions,
      Object.fromEntries(Object.entries(sets).map(([id, table]) => [id, rowsOf(table)])),
    );
  },

  /** Adds the features that encoders extract. */
  async encode({
    data,
    trials,
    sets,
    recordings,
  }: {
    data: JobData;
    trials: Trials;
    sets: readonly string[];
    recordings: readonly (string | null)[] | null;
  }): Promise<JobData> {
    const reading = { encoders: encodersOfProcess, recordings: rowsOfEach(recordings) };
    return withSharedTables({
      ...data,
      training: await readByEncoders(data.training, trials, sets, reading, { isTemporary }),
    });
  },

  /** Encodes the features of the job as its object. */
  pack({ data }: { data: JobData }): Uint8Array {
    const bytes = encode(data);
    return moving(bytes, [bytes.buffer as ArrayBuffer]);
  },

  /** Decodes the job's object into shared memory. */
  open: ({ bytes }: { bytes: Uint8Array }): JobData =>
    withSharedTables(decodeFormat<JobData>(bytes, 2, 'features of a fit')),
};

/** The encoders' thread ended. The task is retried, as it is when its own thread ends. */
const isTemporary = (error: unknown): boolean => error instanceof ThreadLost && error.reason === 'lost';
