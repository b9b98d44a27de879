import { decodeFormat } from '../../infra/drivers/codec.ts';
import type { StoredBatch, StoredPart } from '../../infra/contract/fit-request.ts';
import { commonForm, versionsOf } from '../../ml/features/index.ts';
import { levelsOf, linksOf, sampledValues, sampleOf, storedFormat, trainingData } from '../../ml/train/index.ts';
import { joinFingerprints } from '../../ml/fingerprints.ts';
import { takeRows } from '../../ml/rows.ts';
import type { FeatureForm, NetworkTask, TaskKind } from '../../ml/types.ts';
import { doubledOverBatches, type Origins } from './doubled-over-batches.ts';
import { emptyTables, type JobData } from './job-data.ts';
import { liveRows } from './live-trials.ts';
import { withReferencePrior, type ReferenceFitOrReason } from './reference-fit-prior.ts';

export interface BatchesToMerge {
  /** Encoded `StoredBatch`es, in order. */
  readonly batches: readonly Uint8Array[];
  readonly featureSets: readonly string[];
  readonly kind?: TaskKind;
  readonly network?: NetworkTask | null | undefined;
  readonly referenceFit?: ReferenceFitOrReason | null;
  /** Classes whose trials are left out. */
  readonly ignored?: readonly string[];
}

/** Rows of one part of a stored batch, and the first row of the job to which they are copied. */
export interface PartToTake {
  readonly batch: number;
  readonly part: number;
  readonly rows: Int32Array;
  readonly at: number;
}

/** The data of a job with empty tables, and the rows that fill them. */
export interface Merging {
  readonly data: JobData;
  readonly parts: readonly PartToTake[];
  readonly origins: Origins;
}

/** From the stored batches of a collecting model to the features of its fit, one part of a batch at a time. */
export const batchTasks = {
  /** Chooses the trials: all that carry a signal, or a sample of them if there are too many. */
  merge({ batches, featureSets, kind, network, referenceFit, ignored = [] }: BatchesToMerge): Merging {
    const stored = batches.map((bytes) => decodeFormat<StoredBatch>(bytes, storedFormat, 'batch'));
    const form = only(commonForm(stored.map(({ features }) => features)), featureSets);
    const live = liveRows(stored, new Set(ignored));
    const labels = live.flatMap((rows, b) => Array.from(rows, (row) => stored[b].labels[row]));
    const sessions = namesOf(stored, live, ({ sessions }) => sessions);
    const sample = sampleOf({ labels, sessions }, form.sets);
    const sizes = live.map(({ length }) => length);
    const taken = sample ? byBlock(sample.rows, sizes).map((rows, b) => rows.map((row) => live[b][row])) : live;
    const chosen = <T>(values: readonly T[]): readonly T[] => sampledValues(values, sample);
    const recordings = namesOf(stored, live, ({ recordings, sessions }) => recordings ?? sessions, 'recordings');
    const printed = taken.map((rows, b) => {
      const { fingerprints: prints } = stored[b];
      return { trials: rows.length, ...(prints && { fingerprints: joinFingerprints([{ prints, rows }]) }) };
    });
    const links = linksOf(printed);
    const own = chosen(labels);
    const training = trainingData(emptyTables({ ...form, trials: own.length }), own, sessions && chosen(sessions), {
      recordings: recordings && chosen(recordings),
      kind,
      links,
      levels: levelsOf(printed),
      priors: stored[0].priors,
      network,
      sample,
    });
    return {
      data: { format: 2, training: withReferencePrior(training, referenceFit) },
      parts: partsOf(stored, taken),
      origins: {
        batch: Int32Array.from(taken.flatMap((rows, b) => Array.from(rows, () => b))),
        row: Int32Array.from(taken.flatMap((rows) => [...rows])),
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
  merged: ({ data, origins }: Pick<Merging, 'data' | 'origins'>): JobData => ({
    ...data,
    warnings: doubledOverBatches(data.training, origins),
  }),
};

/** One name of each live trial, over all batches; null if no batch has any. */
function namesOf(
  stored: readonly StoredBatch[],
  live: readonly Int32Array[],
  of: (batch: StoredBatch) => readonly (string | null)[] | null | undefined,
  needed: 'sessions' | 'recordings' = 'sessions',
): (string | null)[] | null {
  if (!stored.some((batch) => batch[needed])) return null;
  return stored.flatMap((batch, b) => {
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
function partsOf(stored: readonly StoredBatch[], taken: readonly Int32Array[]): PartToTake[] {
  let at = 0;
  return stored.flatMap(({ parts }, batch) =>
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
