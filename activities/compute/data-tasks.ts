import { decodeFormat, encode } from '../../infra/drivers/codec.ts';
import type { StagedTrials, StoredBatch } from '../../infra/contract/fit-request.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import { moving } from '../../infra/drivers/threads/serve.ts';
import { silentChannels } from '../../ml/checks/index.ts';
import { encodersOfProcess } from '../../infra/encoders/client.ts';
import { extractFeatures, mergeFeatures, silenced, versionsOf } from '../../ml/features/index.ts';
import { linksOf, readByEncoders, storedFormat, trainingData, type Links } from '../../ml/train/index.ts';
import { rowsOfEach } from '../../ml/rows.ts';
import type { Features, TaskKind, Trials } from '../../ml/types.ts';
import { doubledOverBatches } from './doubled-over-batches.ts';
import { share, shared, sharedRoom, type JobData } from './job-data.ts';
import { taught, type OthersTaught } from './reference-prior.ts';
import { liveBatches, liveTrials } from './live-trials.ts';

/** Staged trials, and which of them share a stretch of the recording. */
export interface Unpacked extends StagedTrials {
  readonly links: Links | null;
}

export interface Joined extends Pick<StagedTrials, 'labels' | 'sessions' | 'recordings' | 'priors'> {
  readonly kind?: TaskKind;
  readonly links?: Links | null;
  readonly parts: readonly Features[];
  readonly others?: OthersTaught | null;
}

/** From the trials of a job to its features. */
export const dataTasks = {
  /**
   * The staged object → its trials without flat ones and what links them, silent channels named, the signal in shared
   * memory.
   */
  unpack({ staged }: { staged: Uint8Array }): Unpacked {
    const { trials: live, ...rest } = liveTrials(decodeFormat<StagedTrials>(staged, 2, 'staged trials'));
    const { fingerprints, ...trials } = silenced(live, silentChannels(live));
    const { links = linksOf([{ trials: trials.trials, fingerprints }]) } = rest;
    return { ...rest, links, trials: { ...trials, data: shared(trials.data) } };
  },

  /** Some of the staged trials → their features. */
  extract({
    trials,
    featureSets,
    part,
    parts,
  }: {
    trials: Trials;
    featureSets: readonly string[];
    part: number;
    parts: number;
  }): Features {
    const size = trials.channels * trials.samples;
    const [from, to] = [Math.floor((part * trials.trials) / parts), Math.floor(((part + 1) * trials.trials) / parts)];
    const features = extractFeatures(
      { ...trials, trials: to - from, data: trials.data.subarray(from * size, to * size) },
      featureSets,
    );
    return moving(
      features,
      Object.values(features.sets).map(({ buffer }) => buffer as ArrayBuffer),
    );
  },

  /** Features of all trials, in order → features of the job. */
  join({ parts, labels, sessions, recordings, kind, links, priors, others }: Joined): JobData {
    const training = trainingData(mergeFeatures(parts, sharedRoom), labels, sessions, {
      recordings,
      kind,
      links,
      priors,
    });
    return share({ format: 2, training: taught(training, others) });
  },

  /** Features of the job → the same with what encoders make of its trials. */
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
    return share({ ...data, training: await readByEncoders(data.training, trials, sets, reading, { isPassing }) });
  },

  /** Stored batches → features of the job, without flat trials. */
  merge({
    batches,
    featureSets,
    kind,
    others,
  }: {
    batches: readonly Uint8Array[];
    featureSets: readonly string[];
    kind?: TaskKind;
    others?: OthersTaught | null;
  }): JobData {
    const stored = batches.map((bytes) => decodeFormat<StoredBatch>(bytes, storedFormat, 'batch'));
    const parts = liveBatches(stored);
    const features = mergeFeatures(
      parts.map((part) => only(part, featureSets)),
      sharedRoom,
    );
    const labels = parts.flatMap((part) => part.labels);
    const named = parts.some(({ sessions }) => sessions !== null);
    const sessions = named ? parts.flatMap((part) => part.sessions ?? part.labels.map(() => null)) : null;
    const links = linksOf(parts.map(({ labels: { length: trials }, fingerprints }) => ({ trials, fingerprints })));
    const [{ priors }] = parts;
    const recordings = recordingsOf(parts);
    const training = trainingData(features, labels, sessions, { recordings, kind, links, priors });
    return share({ format: 2, training: taught(training, others), warnings: doubledOverBatches(stored) });
  },

  /** Features of the job → the job's object. */
  pack({ data }: { data: JobData }): Uint8Array {
    const bytes = encode(data);
    return moving(bytes, [bytes.buffer as ArrayBuffer]);
  },

  /** The job's object → its data in shared memory. */
  open: ({ bytes }: { bytes: Uint8Array }): JobData => share(decodeFormat<JobData>(bytes, 2, 'features of a fit')),
};

/** A thread of the encoders that ended by itself: the task is tried again, as where its own thread ends. */
const isPassing = (error: unknown): boolean => error instanceof ThreadLost && error.reason === 'lost';

/** Recordings over all batches; a batch without a context counts by its sessions. Null where no batch has one. */
const recordingsOf = (parts: readonly StoredBatch[]): (string | null)[] | null =>
  parts.some(({ recordings }) => recordings)
    ? parts.flatMap(({ recordings, sessions, labels }) => recordings ?? sessions ?? labels.map(() => null))
    : null;

function only({ features }: StoredBatch, ids: readonly string[]): StoredBatch['features'] {
  const missing = ids.filter((id) => !features.sets[id]);
  if (missing.length) throw new Error(`A stored batch lacks the features ${missing.join(', ')}.`);
  return {
    ...features,
    sets: Object.fromEntries(ids.map((id) => [id, features.sets[id]])),
    versions: versionsOf(ids, features.versions),
  };
}
