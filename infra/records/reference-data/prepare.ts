import type { ReferenceTaskKey } from '../../contract/reference-data/preparation.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { isTask, taskValues } from './preparations.ts';

/** Estimates for a task before its preparation starts. */
export interface Expected {
  readonly secondsPerByte: number;
  readonly bytes: number;
  /** Values of the data set. */
  readonly people: number;
}

/** Queues a requested task. A ready task stays ready unless it must be prepared again; a running one continues. */
export async function markQueued(
  sql: Sql,
  key: ReferenceTaskKey,
  { secondsPerByte, bytes, people }: Expected,
  { again, at }: { readonly again: boolean; readonly at: Date },
): Promise<void> {
  await sql.query(
    `INSERT INTO reference_preparations AS t (data_set, version, task, features_version, status,
       usual_seconds_per_byte, usual_bytes, all_people, asked_at, updated_at)
     VALUES ($1, $2, $3, $4, 'queued', $5, $6, $7, $8, $8)
     ON CONFLICT (data_set, version, task, features_version) DO UPDATE SET updated_at = $8,
       asked_at = CASE WHEN t.status IN ('queued', 'running') THEN t.asked_at ELSE $8 END,
       status = CASE WHEN t.status IN ('queued', 'running') THEN t.status ELSE 'queued' END,
       retryable = false, reason = NULL
     WHERE t.status <> 'ready' OR $9`,
    [...taskValues(key), secondsPerByte, bytes, people, at, again],
  );
}

/** A person who may have recordings in the source. */
export interface ExpectedPerson {
  readonly person: string;
  readonly files: number;
  readonly bytes: number;
}

/**
 * Starts or continues a preparation: stores the people to look for; `people` is their number in the data set. Existing
 * features stay valid until their person was checked. `at`: when the check of the source began. Returns false, and does
 * nothing, if the preparation has ended without a new request, or a later check has started it.
 */
export async function beginPreparation(
  sql: Sql,
  key: ReferenceTaskKey,
  found: readonly ExpectedPerson[],
  { people, secondsPerByte }: Pick<Expected, 'people' | 'secondsPerByte'>,
  at: Date,
): Promise<boolean> {
  const begun = await sql.query(
    `INSERT INTO reference_preparations AS t (data_set, version, task, features_version, status,
       usual_seconds_per_byte, usual_bytes, all_people, asked_at, started_at, updated_at)
     VALUES ($1, $2, $3, $4, 'running', $5, 0, $6, $7, $7, $7)
     ON CONFLICT (data_set, version, task, features_version) DO UPDATE SET status = 'running', retryable = false,
       reason = NULL, usual_seconds_per_byte = $5, all_people = $6, started_at = $7, updated_at = $7
     WHERE t.status = 'queued' OR (t.status = 'running' AND t.started_at <= $7)`,
    [...taskValues(key), secondsPerByte, people, at],
  );
  if (begun.rowCount === 0) return false;
  await sql.query(`DELETE FROM reference_people WHERE ${isTask} AND person <> ALL ($5)`, [
    ...taskValues(key),
    found.map(({ person }) => person),
  ]);
  await sql.query(
    `INSERT INTO reference_people (data_set, version, task, features_version, person, status, all_files, all_bytes)
     SELECT $1, $2, $3, $4, person, 'waiting', files, bytes
     FROM unnest($5::text[], $6::int[], $7::bigint[]) AS found (person, files, bytes)
     ON CONFLICT (data_set, version, task, features_version, person) DO UPDATE SET status = 'waiting', ref = NULL,
       own = false, reason = NULL, files = 0, bytes = 0, all_files = excluded.all_files,
       all_bytes = excluded.all_bytes, seconds = NULL, started_at = NULL`,
    [
      ...taskValues(key),
      found.map(({ person }) => person),
      found.map(({ files }) => files),
      found.map(({ bytes }) => Math.round(bytes)),
    ],
  );
  return true;
}

/**
 * State of a person's recordings. `part`: recordings of some classes only; `interrupted`: they may be available later.
 */
export type PersonStatus = 'used' | 'part' | 'missing' | 'faulty' | 'interrupted';

export interface PersonRow {
  readonly status: PersonStatus;
  /** Object of the features; only for `used`. */
  readonly ref: string | null;
  readonly own: boolean;
  /** Only for `faulty` and `interrupted`. */
  readonly reason: string | null;
  readonly files: number;
  readonly bytes: number;
  /** Seconds from start to end; null: nothing had to be computed. */
  readonly seconds: number | null;
}

/** Condition that the preparation runs, so that late writes of an activity of an ended one change nothing. */
const isRunning = `EXISTS (SELECT FROM reference_preparations WHERE ${isTask} AND status = 'running')`;

/** Starts a person, or restarts one after interrupted transfers. A person who was checked stays unchanged. */
export async function beginPerson(sql: Sql, key: ReferenceTaskKey, person: string, at: Date): Promise<void> {
  await sql.query(
    `UPDATE reference_people SET status = 'running', ref = NULL, reason = NULL, files = 0, bytes = 0, started_at = $6
     WHERE ${isTask} AND person = $5 AND status IN ('waiting', 'running', 'interrupted') AND ${isRunning}`,
    [...taskValues(key), person, at],
  );
  await touch(sql, key, at);
}

/** Records progress of a started person: the recordings on this machine so far. */
export async function recordPersonProgress(
  sql: Sql,
  key: ReferenceTaskKey,
  person: string,
  { files, bytes }: Pick<PersonRow, 'files' | 'bytes'>,
  at: Date,
): Promise<void> {
  await sql.query(
    `UPDATE reference_people SET files = $6, bytes = $7
     WHERE ${isTask} AND person = $5 AND status = 'running' AND ${isRunning}`,
    [...taskValues(key), person, files, bytes],
  );
  await touch(sql, key, at);
}

/** Stores the final result of a person. Returns false, and does nothing, if the preparation does not run any more. */
export async function recordPerson(
  sql: Sql,
  key: ReferenceTaskKey,
  person: string,
  { status, ref, own, reason, files, bytes, seconds }: PersonRow,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE reference_people SET status = $6, ref = $7, own = $8, reason = $9, files = $10::int, bytes = $11::bigint, seconds = $12,
       all_files = $10::int, all_bytes = $11::bigint
     WHERE ${isTask} AND person = $5 AND ${isRunning}`,
    [...taskValues(key), person, status, ref, own, reason, files, bytes, seconds],
  );
  await touch(sql, key, at);
  return rowCount === 1;
}

/** An ended preparation stays unchanged, whatever a cancelled activity still writes. */
const touch = (sql: Sql, key: ReferenceTaskKey, at: Date): Promise<unknown> =>
  sql.query(`UPDATE reference_preparations SET updated_at = $5 WHERE ${isTask} AND status = 'running'`, [
    ...taskValues(key),
    at,
  ]);

/** The people with stored features, in order, with their objects. */
export async function peopleUsed(
  sql: Sql,
  key: ReferenceTaskKey,
): Promise<{ readonly person: string; readonly ref: string }[]> {
  const { rows } = await sql.query<{ person: string; ref: string }>(
    `SELECT person, ref FROM reference_people WHERE ${isTask} AND status = 'used' ORDER BY person COLLATE "C"`,
    taskValues(key),
  );
  return rows;
}

/** The people whose recordings could not be used, in order. */
export async function faultyPeople(
  sql: Sql,
  key: ReferenceTaskKey,
): Promise<{ readonly person: string; readonly status: 'faulty' | 'interrupted'; readonly reason: string }[]> {
  const { rows } = await sql.query<{ person: string; status: 'faulty' | 'interrupted'; reason: string }>(
    `SELECT person, status, reason FROM reference_people
     WHERE ${isTask} AND status IN ('faulty', 'interrupted') ORDER BY person COLLATE "C"`,
    taskValues(key),
  );
  return rows;
}

export interface PreparationEnd {
  readonly status: 'ready' | 'failed' | 'required';
  readonly retryable: boolean;
  readonly reason: string | null;
}

/** Ends a preparation. One that has already ended stays unchanged. */
export async function endPreparation(
  sql: Sql,
  key: ReferenceTaskKey,
  { status, retryable, reason }: PreparationEnd,
  at: Date,
): Promise<void> {
  await sql.query(
    `UPDATE reference_preparations SET status = $5, retryable = $6, reason = $7, updated_at = $8
     WHERE ${isTask} AND status IN ('queued', 'running')`,
    [...taskValues(key), status, retryable, reason, at],
  );
}

/** Marks a ready task as not ready, for `reason`: the next request prepares it again. */
export async function undoPreparation(sql: Sql, key: ReferenceTaskKey, reason: string, at: Date): Promise<void> {
  await sql.query(
    `UPDATE reference_preparations SET status = 'failed', retryable = true, reason = $5, updated_at = $6
     WHERE ${isTask} AND status = 'ready'`,
    [...taskValues(key), reason, at],
  );
}
