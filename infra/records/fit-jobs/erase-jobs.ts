import type { Sql } from '../../drivers/postgres/transaction.ts';

/** Body of an erased answer. */
export const erasedBody = '';

/**
 * Erases all that the ended jobs of a model say about it: answers with its name, classes and report, warnings, scores
 * of candidates, and the reference of a zero-shot model. The error for a model that ended during its fit (404) stays,
 * because it contains none of this. Idempotent.
 */
export async function eraseJobsOf(sql: Sql, modelId: string): Promise<void> {
  await sql.query(
    `DELETE FROM fit_candidates c USING fit_requests f
     WHERE f.job_id = c.job_id AND f.model_id = $1 AND f.finished_at IS NOT NULL`,
    [modelId],
  );
  await sql.query(
    `UPDATE fit_requests SET body = CASE status WHEN 404 THEN body ELSE $2 END, ignored_classes = '{}',
       request = (request || '{"candidates": [], "skipped": [], "warnings": []}'::jsonb
         || CASE WHEN request -> 'source' ?| '{reference,network}' THEN '{"source": {}}'::jsonb ELSE '{}'::jsonb END)
         - '{reference,network}'::text[]
     WHERE model_id = $1 AND finished_at IS NOT NULL`,
    [modelId, erasedBody],
  );
}
