import { decodeFormat } from '../../infra/drivers/codec.ts';
import type { StoredBatch, StoredPart } from '../../infra/contract/fit-request.ts';
import { commonForm, versionsOf } from '../../ml/features/index.ts';
import { levelsOf, linksInSteps, sampledValues, sampleOf, storedFormat, trainingData } from '../../ml/train/index.ts';
import type { FingerprintedTrials, Priors, Sample } from '../../ml/train/index.ts';
import { joinFingerprints } from '../../ml/fingerprints.ts';
import { takeRows } from '../../ml/rows.ts';
import type { Steps } from '../../ml/steps.ts';
import type { FeatureForm, NetworkTask, TaskKind } from '../../ml/types.ts';
import { doubledOverBatches, type Origins } from './doubled-over-batches.ts';
import { emptyTables, type JobData } from './job-data.ts';
import { liveRows } from './live-trials.ts';
import { withReferencePrior, type ReferenceFitOrReason } from './reference-fit-prior.ts';

/** A stored batch without its fingerprints, which take most of its memory. */
export type BatchHead = Omit<StoredBatch, 'fingerprints'>;

export interface BatchesToChooseFrom {
  /** In order. */
  readonly batches: readonly BatchHead[];
  readonly featureSets: readonly string[];
  /** Classes whose trials are left out. */
  readonly ignored?: readonly string[];
}

type Names = readonly (string | null)[];

/** The trials of a fit, chosen among those of all batches. */
export interface ChosenTrials {
  readonly form: FeatureForm;
  /** Rows of each batch, ascending. */
  readonly rows: readonly Int32Array[];
  /** Of each chosen trial. */
  readonly labels: readonly string[];
  readonly sessions: Names | null;
  readonly recordings: Names | null;
  /** Null if no sample was drawn. */
  readonly sample: Sample | null;
  readonly priors: Priors | undefined;
  readonly parts: readonly PartToTake[];
}

export interface TrialsToMerge {
  readonly chosen: ChosenTrials;
  /** The chosen trials of each batch. */
  readonly printed: readonly FingerprintedTrials[];
  readonly kind?: TaskKind;
  readonly network?: NetworkTask | null | undefined;
  readonly referenceFit?: ReferenceFitOrReason | null;
}

/** Rows of one part of a stored batch, and the first row of the job to which they are copied. */
export interface PartToTake {
  readonly batch: number;
  readonly part: number;
  readonly rows: Int32Array;
  readonly at: number;
}

/** The data of a job with empty tables. */
export interface Merging {
  readonly data: JobData;
  readonly origins: Origins;
}

const batchOf = (bytes: Uint8Array): StoredBatch => decodeFormat<StoredBatch>(bytes, storedFormat, 'batch');

/**
 * From the stored batches of a collecting model to the features of its fit, one batch or part of a batch at a time.
 * Each batch is read twice: the fingerprints of all trials, of which a fit may read only a sample, are never in memory
 * together.
 */
export const batchTasks = {
  readBatch({ bytes }: { bytes: Uint8Array }): BatchHead {
    const { fingerprints: _, ...head } = batchOf(bytes);
    return head;
  },

  /** Chooses the trials: all that carry a signal, or a sample of them if there are too many. */
  chooseTrials({ batches, featureSets, ignored = [] }: BatchesToChooseFrom): ChosenTrials {
    const form = only(commonForm(batches.map(({ features }) => features)), featureSets);
    const live = liveRows(batches, new Set(ignored));
    const labels = live.flatMap((rows, b) => Array.from(rows, (row) => batches[b].labels[row]));
    const sessions = namesOf(batches, live, ({ sessions }) => sessions);
    const recordings = namesOf(batches, live, ({ recordings, sessions }) => recordings ?? sessions, 'recordings');
    const sample = sampleOf({ labels, sessions }, form.sets);
    const sizes = live.map(({ length }) => length);
    const rows = sample ? byBlock(sample.rows, sizes).map((own, b) => own.map((row) => live[b][row])) : live;
    return {
      form,
      rows,
      labels: sampledValues(labels, sample),
      sessions: sessions && sampledValues(sessions, sample),
      recordings: recordings && sampledValues(recordings, sample),
      sample,
      priors: batches[0].priors,
      parts: partsOf(batches, rows),
    };
  },

  /** The fingerprints of some trials of a batch. */
  takeFingerprints({ bytes, rows }: { bytes: Uint8Array; rows: Int32Array }): FingerprintedTrials {
    const { fingerprints: prints } = batchOf(bytes);
    return { trials: rows.length, ...(prints && { fingerprints: joinFingerprints([{ prints, rows }]) }) };
  },

  /** Links the chosen trials. Yields while it compares them. */
  *merge({ chosen, printed, kind, network, referenceFit }: TrialsToMerge): Steps<Merging> {
    const { form, rows, labels, sessions, recordings, sample, priors } = chosen;
    const features = emptyTables({ ...form, trials: labels.length });
    const links = yield* linksInSteps(printed);
    const levels = levelsOf(printed);
    const options = { recordings, kind, links, levels, priors, network, sample };
    const training = trainingData(features, labels, sessions, options);
    return {
      data: { format: 2, training: withReferencePrior(training, referenceFit) },
      origins: {
        batch: Int32Array.from(rows.flatMap((own, b) => Array.from(own, () => b))),
        row: Int32Array.from(rows.flatMap((own) => [...own])),
      },
    };
  },

  /** Copies rows of one part into the tables of the job. */
  take({ bytes, data, part: { rows, at } }: { bytes: Uint8Array; data: JobData; part: PartToTake }): void {
    const { sets } = decodeFormat<StoredPart>(bytes, storedFormat, 'part of a batch');
    const { features } = data.training;
    for (const [id, table] of Object.entries(features.sets)) {
      const width = table.length / features.trials;
      table.set(takeRows(sets[id], width, rows), at * width);
    }
  },

  /** The filled data, with the warnings that need all batches. */
  merged: ({ data, origins }: Merging): JobData => ({
    ...data,
    warnings: doubledOverBatches(data.training, origins),
  }),
};

/** One name of each live trial, over all batches; null if no batch has any. */
function namesOf(
  batches: readonly BatchHead[],
  live: readonly Int32Array[],
  of: (batch: BatchHead) => Names | null | undefined,
  needed: 'sessions' | 'recordings' = 'sessions',
): Names | null {
  if (!batches.some((batch) => batch[needed])) return null;
  return batches.flatMap((batch, b) => {
    const names = of(batch);
    return Array.from(live[b], (row) => names?.[row] ?? null);
  });
}

/** Splits ascending rows into blocks of these sizes. Rows of each block are counted from its first row. */
function byBlock(rows: Int32Array, sizes: readonly number[]): Int32Array[] {
  let first = 0;
  let next = 0;
  return sizes.map((size) => {
    const from = next;
    while (next < rows.length && rows[next] < first + size) next += 1;
    const own = rows.subarray(from, next).map((row) => row - first);
    first += size;
    return own;
  });
}

/** The parts that contain any of the rows. */
function partsOf(batches: readonly BatchHead[], taken: readonly Int32Array[]): PartToTake[] {
  let at = 0;
  return batches.flatMap(({ parts }, batch) =>
    byBlock(taken[batch], parts).flatMap((rows, part) => {
      const first = at;
      at += rows.length;
      return rows.length > 0 ? [{ batch, part, rows, at: first }] : [];
    }),
  );
}

function only({ sets, ...form }: FeatureForm, ids: readonly string[]): FeatureForm {
  const missing = ids.filter((id) => sets[id] === undefined);
  if (missing.length) throw new Error(`A stored batch lacks the features ${missing.join(', ')}.`);
  return {
    ...form,
    sets: Object.fromEntries(ids.map((id) => [id, sets[id]])),
    versions: versionsOf(ids, form.versions),
  };
}
