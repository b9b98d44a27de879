import { resamplerOf } from '../../../ml/pins/index.ts';
import type { Sql } from '../../drivers/postgres/index.ts';

/**
 * Version of the resampler that further trials of a model go through: that of the fitted model, else of its first
 * batch; undefined where none is pinned.
 */
export async function pinnedResampler(sql: Sql, modelId: string): Promise<number | undefined> {
  const { rows } = await sql.query<{ pins: string[] }>(
    `SELECT CASE WHEN m.status = 'collecting' THEN b.pins ELSE m.pins END AS pins
     FROM task_models m LEFT JOIN task_model_batches b ON b.model_id = m.id AND b.n = 1 WHERE m.id = $1`,
    [modelId],
  );
  return resamplerOf(rows[0]?.pins ?? []);
}
