import type { FitRequest } from '../../contract/fit-request.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { erasedBody } from './erase-jobs.ts';
import type { KeyMode, TaskModelStatus } from '../../contract/task-model.ts';
import type { CandidateProgress } from '../task-models/progress.ts';

/** A fit job as its account may see it, running or ended. */
export interface StoredJob {
  readonly request: FitRequest;
  readonly createdAt: Date;
  /** A worker has taken it. */
  readonly begun: boolean;
  readonly finishedAt: Date | null;
  /** Its terminal answer; null while it runs. */
  readonly status: number | null;
  readonly body: string | null;
  /** Status of its model, once its answer was erased with it; else null. */
  readonly erasedWith: TaskModelStatus | null;
  /** In the order of their start; candidates that have not started are missing. */
  readonly candidates: readonly CandidateProgress[];
}

/** A job of an account and mode; null: there is none. */
export async function readJob(
  sql: Sql,
  { accountId, mode, jobId }: { readonly accountId: string; readonly mode: KeyMode; readonly jobId: string },
): Promise<StoredJob | null> {
  const { rows } = await sql.query<StoredJob>(
    `SELECT f.request, f.created_at AS "createdAt", f.finished_at AS "finishedAt", f.status, f.body,
            CASE WHEN f.body = $4 THEN m.status END AS "erasedWith",
            EXISTS (SELECT FROM job_attempts a WHERE a.job = f.job_id) AS begun,
            coalesce((SELECT jsonb_agg(jsonb_build_object('method', c.method_id, 'title', c.title, 'status', c.status,
                'balancedAccuracy', c.balanced_accuracy, 'reason', c.reason, 'seconds', c.seconds)
                ORDER BY c.at, c.method_id)
              FROM fit_candidates c WHERE c.job_id = f.job_id), '[]') AS candidates
     FROM fit_requests f LEFT JOIN task_models m ON m.id = f.model_id
     WHERE f.job_id = $1 AND f.account_id = $2 AND f.request ->> 'mode' = $3`,
    [jobId, accountId, mode, erasedBody],
  );
  return rows[0] ?? null;
}
