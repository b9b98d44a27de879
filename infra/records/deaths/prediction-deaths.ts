import type { Sql } from '../../drivers/postgres/transaction.ts';

type Asked = Pick<Sql, 'query'>;

/** Deaths within this many days are counted together. */
const days = 30;

/**
 * Records that an API process died while it labelled with these models, and blocks the models that probably caused it:
 * a model that was present at two deaths and alone at one of them, or present at three. If a job ran in the process
 * too, the job is the suspect and nothing is recorded. Returns the newly blocked models. Idempotent.
 */
export async function recordPredictionDeath(
  sql: Asked,
  { process, models }: { readonly process: string; readonly models: readonly string[] },
): Promise<string[]> {
  await sql.query(
    `WITH old AS (DELETE FROM prediction_deaths WHERE at < clock_timestamp() - interval '${days} days')
     INSERT INTO prediction_deaths (model_id, process, alone, at)
     SELECT id, $1, $3, clock_timestamp() FROM unnest($2::text[]) AS id
     WHERE NOT EXISTS (SELECT FROM job_attempts WHERE process = $1 AND (ended_at IS NULL OR how = 'died'))
     ON CONFLICT DO NOTHING`,
    [process, models, models.length === 1],
  );
  const { rows } = await sql.query<{ id: string }>(
    `UPDATE task_models m SET blocked_at = clock_timestamp()
     WHERE m.id = ANY ($1) AND m.status = 'active' AND m.blocked_at IS NULL AND (
       SELECT count(*) > 2 OR count(*) > 1 AND bool_or(d.alone) FROM prediction_deaths d
       WHERE d.model_id = m.id AND d.at > clock_timestamp() - interval '${days} days')
     RETURNING id`,
    [models],
  );
  return rows.map(({ id }) => id);
}

export interface BlockedModel {
  readonly modelId: string;
  readonly accountId: string;
  readonly blockedAt: Date;
  /** Number of processes that died while they labelled with it. */
  readonly deaths: number;
}

/** Active models whose predictions are refused, the longest blocked first. */
export async function blockedModels(sql: Asked): Promise<BlockedModel[]> {
  const { rows } = await sql.query<BlockedModel>(
    `SELECT m.id AS "modelId", m.account_id AS "accountId", m.blocked_at AS "blockedAt",
            (SELECT count(*)::int FROM prediction_deaths d WHERE d.model_id = m.id) AS deaths
     FROM task_models m WHERE m.blocked_at IS NOT NULL AND m.status = 'active' ORDER BY m.blocked_at, m.id`,
  );
  return rows;
}

/** Unblocks a model and deletes its recorded deaths. False: it was not blocked. */
export async function unblockModel(sql: Asked, modelId: string): Promise<boolean> {
  await sql.query('DELETE FROM prediction_deaths WHERE model_id = $1', [modelId]);
  const { rowCount } = await sql.query(
    'UPDATE task_models SET blocked_at = NULL WHERE id = $1 AND blocked_at IS NOT NULL',
    [modelId],
  );
  return rowCount === 1;
}
