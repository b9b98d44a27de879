import { limits } from '../../contract/limits.ts';
import type { SignalReport } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** Data of each batch that the fit of a collecting model needs without reading the features. */
export interface BatchNotes {
  /** Extracted feature sets; the first batch decides them. */
  readonly featureSets?: readonly string[];
  /**
   * Substitutes for the distinct names of sessions, and of recordings by `normalization_context`; absent: none named.
   */
  readonly sessions?: readonly string[];
  readonly recordings?: readonly string[];
  readonly missingChannels: 'nearest' | 'reject';
  /** Duration of each trial before its cue; absent: the create gave none. */
  readonly baselineSeconds?: number;
  /** Electrode positions in metres, head frame, in the order of the model's channels. */
  readonly positions?: readonly (readonly [number, number, number])[];
}

export interface BatchSignal extends SignalReport {
  readonly fit?: BatchNotes;
}

export interface NewBatch {
  readonly modelId: string;
  /** Object name of the batch's features. */
  readonly featuresRef: string;
  readonly trials: number;
  readonly windows: number;
  /** Trials of each class. */
  readonly classCounts: Readonly<Record<string, number>>;
  readonly signal: BatchSignal;
  /** Versions of the recipes and of the resampler that computed the features. */
  readonly pins: readonly string[];
  /** Bytes of its feature object. */
  readonly bytes: number;
  readonly at: Date;
}

export interface Batch extends Omit<NewBatch, 'at'> {
  /** Number of the batch from 1, in the order stored. */
  readonly n: number;
  readonly createdAt: Date;
}

/** The distinct warnings of all batches, in the order of the batches; $1 is the model, $3 the maximum. */
const warningsOfBatches = `(
  SELECT coalesce(jsonb_agg(warning ORDER BY n, place), '[]') FROM (
    SELECT warning, min(n) AS n, min(place) AS place
    FROM task_model_batches, jsonb_array_elements_text(signal -> 'warnings') WITH ORDINALITY AS w (warning, place)
    WHERE model_id = $1 GROUP BY warning ORDER BY 2, 3 LIMIT $3) AS each)`;

/**
 * Stores a batch of a collecting model, adds its classes, trials and warnings to the model, and returns its number.
 * Locks the model.
 */
export async function addBatch(sql: Sql, batch: NewBatch): Promise<number> {
  const { rowCount } = await sql.query(
    `SELECT FROM task_models WHERE id = $1 AND status = 'collecting' FOR NO KEY UPDATE`,
    [batch.modelId],
  );
  if (rowCount === 0) throw new Error(`Model ${batch.modelId} is not collecting.`);
  const { rows } = await sql.query<{ n: number }>(
    `INSERT INTO task_model_batches (model_id, n, features_ref, trials, windows, class_counts, signal, pins, created_at, bytes)
     SELECT $1, 1 + coalesce(max(n), 0), $2, $3, $4, $5, $6, $7, $8, $9 FROM task_model_batches WHERE model_id = $1 RETURNING n`,
    [
      batch.modelId,
      batch.featuresRef,
      batch.trials,
      batch.windows,
      JSON.stringify(batch.classCounts),
      JSON.stringify(batch.signal),
      batch.pins,
      batch.at,
      batch.bytes,
    ],
  );
  await sql.query(
    `UPDATE task_models SET classes = (SELECT array_agg(DISTINCT c ORDER BY c) FROM unnest(classes || $2::text[]) AS c),
            batch_bytes = batch_bytes + $4, signal = signal || (SELECT jsonb_build_object('trials', sum(trials), 'warnings', ${warningsOfBatches})
                                FROM task_model_batches WHERE model_id = $1)
      WHERE id = $1`,
    [batch.modelId, Object.keys(batch.classCounts), limits.warningsOfBatches, batch.bytes],
  );
  return rows[0]!.n;
}

/** The batches of a model in the order stored. */
export async function batchesOf(sql: Sql, modelId: string): Promise<Batch[]> {
  const { rows } = await sql.query<Batch>(
    `SELECT model_id AS "modelId", n, features_ref AS "featuresRef", trials, windows, class_counts AS "classCounts", signal, pins,
            bytes::float8 AS bytes, created_at AS "createdAt" FROM task_model_batches WHERE model_id = $1 ORDER BY n`,
    [modelId],
  );
  return rows;
}

/** Totals of all batches of a model, for a further batch or a fit. */
export interface BatchTotals {
  readonly batches: number;
  readonly trials: number;
  /** Bytes of their feature objects. */
  readonly bytes: number;
  /** Null: there is no batch. */
  readonly first: Pick<Batch, 'featuresRef' | 'trials' | 'bytes'> | null;
  /** Trials of each class, in order of first appearance. */
  readonly trialsPerClass: Readonly<Record<string, number>>;
}

/** Postgres computes the totals, so that the result stays small for any number of batches. */
export async function batchTotals(sql: Sql, modelId: string): Promise<BatchTotals> {
  const { rows } = await sql.query<BatchTotals>(
    `SELECT count(*)::int AS batches, coalesce(sum(trials), 0)::int AS trials, coalesce(sum(bytes), 0)::float8 AS bytes,
       (SELECT json_build_object('featuresRef', features_ref, 'trials', trials, 'bytes', bytes)
        FROM task_model_batches WHERE model_id = $1 ORDER BY n LIMIT 1) AS first,
       (SELECT coalesce(json_object_agg(label, trials ORDER BY first, place), '{}') FROM (
          SELECT label, sum(each::bigint) AS trials, min(n) AS first, min(place) AS place
          FROM task_model_batches, jsonb_each_text(class_counts) WITH ORDINALITY AS c (label, each, place)
          WHERE model_id = $1 GROUP BY label) AS classes) AS "trialsPerClass"
     FROM task_model_batches WHERE model_id = $1`,
    [modelId],
  );
  return rows[0]!;
}

/** Batches, from 1, that contain trials of each of these classes, in order. */
export async function batchesWith(
  sql: Sql,
  modelId: string,
  classes: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await sql.query<{ label: string; batches: number[] }>(
    `SELECT label, array_agg(n ORDER BY n) AS batches FROM task_model_batches, unnest($2::text[]) AS label
     WHERE model_id = $1 AND class_counts ? label GROUP BY label`,
    [modelId, classes],
  );
  return new Map(rows.map(({ label, batches }) => [label, batches]));
}

/** Data of each batch for the plan of a fit, in the order stored. */
export type FitSignal = Pick<BatchSignal, 'sampling_rate_hz' | 'seconds_per_trial' | 'fit'>;

export async function fitSignalsOf(sql: Sql, modelId: string): Promise<FitSignal[]> {
  const { rows } = await sql.query<{ signal: FitSignal }>(
    `SELECT jsonb_strip_nulls(jsonb_build_object('sampling_rate_hz', signal -> 'sampling_rate_hz',
       'seconds_per_trial', signal -> 'seconds_per_trial', 'fit', signal -> 'fit')) AS signal
     FROM task_model_batches WHERE model_id = $1 ORDER BY n`,
    [modelId],
  );
  return rows.map(({ signal }) => signal);
}

/** Names of the feature objects of a model's batches, in the order stored. */
export async function featureNamesOf(sql: Sql, modelId: string): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    'SELECT features_ref AS name FROM task_model_batches WHERE model_id = $1 ORDER BY n',
    [modelId],
  );
  return rows.map(({ name }) => name);
}
