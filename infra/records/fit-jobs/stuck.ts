import { freeIdempotency } from '../admission/idempotency.ts';
import { release } from '../ledger/holds.ts';
import { dropFitting } from '../task-models/transitions.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import type { FitRequest } from '../../contract/fit-request.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** Models whose fit was requested before `before` and has not ended. */
export async function modelsWithPendingFit(sql: Sql, before: Date): Promise<string[]> {
  const { rows } = await sql.query<{ model_id: string }>(
    'SELECT DISTINCT model_id FROM fit_requests WHERE finished_at IS NULL AND created_at < $1 ORDER BY model_id',
    [before],
  );
  return rows.map(({ model_id: id }) => id);
}

/** Jobs that were requested before `before` and have not ended, oldest first. */
export async function unendedFits(sql: Sql, before: Date): Promise<FitRequest[]> {
  const { rows } = await sql.query<{ request: FitRequest }>(
    'SELECT request FROM fit_requests WHERE finished_at IS NULL AND created_at < $1 ORDER BY created_at LIMIT 100',
    [before],
  );
  return rows.map(({ request }) => request);
}

interface StuckHold {
  readonly id: string;
  readonly modelId: string;
  readonly accountId: string;
}

const lockedByRequest = (account: string, model: string): string => `EXISTS (
  SELECT FROM idempotency_keys i WHERE i.account_id = ${account} AND i.state = 'running'
    AND i.job ->> 'modelId' = ${model} AND i.locked_until > clock_timestamp())`;

/**
 * Undoes starts that never became a job. Open holds older than `before`, without a job or a request that is about to
 * start one, are released; the rows of their creates are deleted, and their idempotency keys freed. Returns the ids of
 * the models.
 */
export async function undoStuckStarts(sql: Sql, before: Date, at: Date): Promise<string[]> {
  const { rows: holds } = await sql.query<StuckHold>(
    `SELECT h.id, h.model_id AS "modelId", h.account_id AS "accountId" FROM holds h
     WHERE h.state = 'open' AND h.created_at < $1
       AND NOT EXISTS (SELECT FROM fit_requests f WHERE f.model_id = h.model_id AND f.finished_at IS NULL)
       AND NOT ${lockedByRequest('h.account_id', 'h.model_id')}
     ORDER BY h.created_at LIMIT 500`,
    [before],
  );
  for (const { id } of holds) await release(sql, id, at);
  const { rows: creates } = await sql.query<{ id: string; accountId: string }>(
    `SELECT m.id, m.account_id AS "accountId" FROM task_models m
     WHERE m.status = 'fitting' AND m.created_at < $1
       AND NOT EXISTS (SELECT FROM fit_requests f WHERE f.model_id = m.id AND f.finished_at IS NULL)
       AND NOT ${lockedByRequest('m.account_id', 'm.id')}
     ORDER BY m.created_at LIMIT 500`,
    [before],
  );
  for (const { id } of creates) await dropFitting(sql, id);
  const models = new Map([
    ...holds.map((hold) => [hold.modelId, hold.accountId] as const),
    ...creates.map((row) => [row.id, row.accountId] as const),
  ]);
  for (const [modelId, accountId] of models) await freeKeys(sql, accountId, modelId);
  return [...models.keys()];
}

async function freeKeys(sql: Sql, accountId: string, modelId: string): Promise<void> {
  const { rows } = await sql.query<{ key: string; mode: KeyMode }>(
    `SELECT key, mode FROM idempotency_keys WHERE account_id = $1 AND state = 'running' AND job ->> 'modelId' = $2
       AND (locked_until IS NULL OR locked_until < clock_timestamp())`,
    [accountId, modelId],
  );
  for (const { key, mode } of rows) await freeIdempotency(sql, { accountId, mode, key });
}

/** Ended jobs that are deleted: those before `keyed`, and those without an Idempotency-Key before `unkeyed`. */
const reaped = (alias: string): string => `(${alias}.finished_at < $1
  OR ${alias}.finished_at < $2 AND ${alias}.request ->> 'idempotencyKey' IS NULL)`;

/**
 * Deletes answers and candidate scores of ended jobs. Only a job with an Idempotency-Key can be read later, so others
 * are deleted sooner (`reaped`).
 */
export async function reapFitRequests(
  sql: Sql,
  { keyed, unkeyed }: { readonly keyed: Date; readonly unkeyed: Date },
): Promise<number> {
  await sql.query(`DELETE FROM fit_candidates c USING fit_requests f WHERE f.job_id = c.job_id AND ${reaped('f')}`, [
    keyed,
    unkeyed,
  ]);
  const { rowCount } = await sql.query(`DELETE FROM fit_requests f WHERE ${reaped('f')}`, [keyed, unkeyed]);
  return rowCount ?? 0;
}

/** Ids of models that need a workflow, in order, after `after`. A create's workflow starts after its fit. */
export async function modelsNeedingWorkflow(sql: Sql, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM task_models WHERE (status IN ('collecting', 'active') OR cleanup <> 'none')
      AND ($1::text IS NULL OR id > $1)
     ORDER BY id LIMIT $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

interface ObjectRights {
  readonly id: string;
  readonly status: string;
  readonly modelRef: string | null;
  readonly pending: boolean;
  /** Names of the objects of stored answers. */
  readonly answers: readonly string[];
}

/**
 * Objects that a model may have in the store: batches while it collects, its fitted model while it is active, `answers`
 * of its predictions. Ids that are not in the map may have none.
 */
export async function objectRights(sql: Sql, ids: readonly string[]): Promise<Map<string, ObjectRights>> {
  const { rows } = await sql.query<ObjectRights>(
    `SELECT m.id, m.status, m.model_ref AS "modelRef",
            EXISTS (SELECT FROM fit_requests f WHERE f.model_id = m.id AND f.finished_at IS NULL) AS pending,
            ARRAY(SELECT i.response_ref FROM idempotency_keys i
                  WHERE i.model_id = m.id AND i.response_ref IS NOT NULL) AS answers
     FROM task_models m WHERE m.id = ANY ($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
