import { describePin, unheld } from '../../../ml/pins/index.ts';
import type { Sql } from '../../drivers/postgres/index.ts';

export interface PinUse {
  readonly pin: string;
  /** Active models. */
  readonly models: number;
  /** Stored batches of collecting models. */
  readonly batches: number;
  /** Fits that have not ended and try what it names. */
  readonly fits: number;
  /** Whether this code holds it. */
  readonly held: boolean;
}

export interface UnservableModel {
  readonly modelId: string;
  readonly accountId: string;
  /** What the model needs and this code does not hold, in words. */
  readonly needs: readonly string[];
}

/** What is stored and must stay readable. */
const stored = `
  SELECT m.id, m.account_id, m.created_at, m.pins, 'model' AS use FROM task_models m WHERE m.status = 'active'
  UNION ALL
  SELECT m.id, m.account_id, m.created_at, b.pins, 'batch' FROM task_model_batches b
  JOIN task_models m ON m.id = b.model_id AND m.status = 'collecting'`;

/** Methods that a running fit was asked to try, in the versions it was asked for. */
const running = `
  SELECT f.model_id, f.account_id, f.created_at,
         ARRAY(SELECT DISTINCT format('method:%s@%s', c ->> 'id', c ->> 'version')
               FROM jsonb_array_elements(f.request -> 'candidates') AS c), 'fit'
  FROM fit_requests f WHERE f.finished_at IS NULL`;

/** Every pin of an active model, of a collecting model's batch or of a fit that has not ended, sorted. */
export async function pinUses(sql: Sql): Promise<PinUse[]> {
  const count = (use: string, name: string): string => `(count(*) FILTER (WHERE use = '${use}'))::int AS ${name}`;
  const { rows } = await sql.query<Omit<PinUse, 'held'>>(
    `SELECT pin, ${count('model', 'models')}, ${count('batch', 'batches')}, ${count('fit', 'fits')}
     FROM (${stored} UNION ALL ${running}) AS u, unnest(u.pins) AS pin GROUP BY pin ORDER BY pin COLLATE "C"`,
  );
  return rows.map((row) => ({ ...row, held: unheld([row.pin]).length === 0 }));
}

/** What this code lacks of the pins, in words. */
export const needsOf = (pins: readonly string[]): string[] => unheld(pins).map(describePin);

/** Active models, and collecting ones with batches, that need what this code does not hold; oldest first. */
export async function unservableModels(sql: Sql): Promise<UnservableModel[]> {
  const lacking = (await pinUses(sql)).filter(({ held }) => !held).map(({ pin }) => pin);
  if (lacking.length === 0) return [];
  const { rows } = await sql.query<{ modelId: string; accountId: string; pins: string[] }>(
    `SELECT u.id AS "modelId", u.account_id AS "accountId", array_agg(DISTINCT pin ORDER BY pin) AS pins
     FROM (${stored}) AS u, unnest(u.pins) AS pin WHERE pin = ANY ($1) GROUP BY u.id, u.account_id, u.created_at ORDER BY u.created_at, u.id`,
    [lacking],
  );
  return rows.map(({ modelId, accountId, pins }) => ({ modelId, accountId, needs: needsOf(pins) }));
}
