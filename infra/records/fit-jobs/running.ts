import type { KeyMode } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import type { CandidateProgress } from '../task-models/progress.ts';

/** A fit that has not ended, as its account may see it. */
export interface RunningFit {
  readonly jobId: string;
  readonly modelId: string;
  /** Null: none, or the model is gone. */
  readonly name: string | null;
  readonly description: string;
  readonly mode: KeyMode;
  readonly startedAt: Date;
  /** In the order of their start; candidates that have not started are missing. */
  readonly candidates: readonly CandidateProgress[];
}

/** Running fits of an account, including immediate creates, newest first. */
export async function runningFits(sql: Sql, accountId: string): Promise<RunningFit[]> {
  const { rows } = await sql.query<RunningFit>(
    `SELECT f.job_id AS "jobId", f.model_id AS "modelId", m.name, coalesce(m.description, '') AS description,
            f.request ->> 'mode' AS mode, f.created_at AS "startedAt",
            coalesce((SELECT jsonb_agg(jsonb_build_object('method', c.method_id, 'title', c.title, 'status', c.status,
                'balancedAccuracy', c.balanced_accuracy, 'reason', c.reason, 'seconds', c.seconds)
                ORDER BY c.at, c.method_id)
              FROM fit_candidates c WHERE c.job_id = f.job_id), '[]') AS candidates
     FROM fit_requests f
     LEFT JOIN task_models m ON m.id = f.model_id AND m.account_id = f.account_id AND m.status <> 'deleted'
     WHERE f.account_id = $1 AND f.finished_at IS NULL ORDER BY f.created_at DESC, f.job_id`,
    [accountId],
  );
  return rows;
}
