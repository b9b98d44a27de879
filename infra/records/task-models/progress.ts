import type { Sql } from '../../drivers/postgres/transaction.ts';

export interface CandidateProgress {
  readonly method: string;
  readonly title: string;
  readonly status: 'running' | 'scored' | 'failed' | 'dropped';
  readonly balancedAccuracy: number | null;
  readonly reason: string | null;
  readonly seconds: number | null;
}

/**
 * Records the progress of several candidates of a job in one statement; a repeated attempt overwrites it. Records
 * nothing once the job has ended: its candidates may be erased already, with its model.
 */
export async function recordProgress(
  sql: Sql,
  jobId: string,
  candidates: readonly CandidateProgress[],
  at: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO fit_candidates (job_id, method_id, title, status, balanced_accuracy, reason, seconds, at)
     SELECT $1, method, title, status, "balancedAccuracy", reason, seconds, $3::timestamptz + place * interval '1 us'
      FROM ROWS FROM (jsonb_to_recordset($2) AS (method text, title text, status text, "balancedAccuracy" float8,
             reason text, seconds float8)) WITH ORDINALITY
        AS row (method, title, status, "balancedAccuracy", reason, seconds, place),
        (SELECT FROM fit_requests WHERE job_id = $1 AND finished_at IS NULL FOR SHARE) AS job
     ON CONFLICT (job_id, method_id) DO UPDATE SET status = excluded.status,
       balanced_accuracy = excluded.balanced_accuracy,
       reason = excluded.reason, seconds = excluded.seconds, at = excluded.at`,
    [jobId, JSON.stringify(candidates), at],
  );
}

/** The candidates of a job, in the order of their start. */
export async function readProgress(sql: Sql, jobId: string): Promise<CandidateProgress[]> {
  const { rows } = await sql.query<CandidateProgress>(
    `SELECT method_id AS method, title, status, balanced_accuracy AS "balancedAccuracy", reason, seconds
      FROM fit_candidates
     WHERE job_id = $1 ORDER BY at, method_id`,
    [jobId],
  );
  return rows;
}
