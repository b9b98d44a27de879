import type pg from 'pg';
import { withRetries } from '../../drivers/postgres/transaction.ts';
import { eraseJobsOf } from '../fit-jobs/erase-jobs.ts';

/** Most rows of one statement. */
const rowsPerStep = 5_000;

/**
 * Erases the stored answers about a model that has ended. The answer of its create (201) loses its text, so that its
 * Idempotency-Key still charges once; the answers of its batches, fits and predictions are removed, because their
 * requests name the model and are answered 404. Works in small steps that do not block others, each committed at once,
 * and begins again if one deadlocks, for example with the sweep of old answers. The sweep deletes the objects.
 * Idempotent.
 */
export const eraseAnswersOf = (pool: pg.Pool, modelId: string): Promise<void> =>
  withRetries(() => erase(pool, modelId));

async function erase(pool: pg.Pool, modelId: string): Promise<void> {
  await eraseJobsOf(pool, modelId);
  await pool.query(
    `UPDATE idempotency_keys SET response_body = NULL, response_bytes = 0
     WHERE model_id = $1 AND response_status = 201 AND response_body IS NOT NULL`,
    [modelId],
  );
  // A second erasure at the same time waits for the rows of the first, so that neither ends before all are removed.
  for (let removed = rowsPerStep; removed === rowsPerStep;) {
    const { rowCount } = await pool.query(
      `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
         SELECT i.ctid FROM idempotency_keys i
         WHERE i.model_id = $1 AND i.state = 'done' AND i.response_status <> 201 LIMIT ${rowsPerStep} FOR UPDATE))`,
      [modelId],
    );
    removed = rowCount ?? 0;
  }
}
