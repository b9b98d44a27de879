import { describePin, unheld } from '../../../ml/pins/index.ts';
import type { Sql } from '../../drivers/postgres/index.ts';

export interface PinUse {
  readonly pin: string;
  /** Active models. */
  readonly models: number;
  /** Stored batches of collecting models. */
  readonly batches: number;
  /** Whether this code holds it. */
  readonly held: boolean;
}

export interface UnservableModel {
  readonly modelId: string;
  readonly accountId: string;
  /** What the model needs and this code does not hold, in words. */
  readonly needs: readonly string[];
}

const uses = `(
  SELECT m.id, m.account_id, m.created_at, m.pins, false AS batch FROM task_models m WHERE m.status = 'active'
  UNION ALL
  SELECT m.id, m.account_id, m.created_at, b.pins, true FROM task_model_batches b JOIN task_models m ON m.id = b.model_id AND m.status = 'collecting')`;

/** Every pin of an active model or of a collecting model's batch, sorted. */
export async function pinUses(sql: Sql): Promise<PinUse[]> {
  const { rows } = await sql.query<Omit<PinUse, 'held'>>(
    `SELECT pin, (count(*) FILTER (WHERE NOT batch))::int AS models, (count(*) FILTER (WHERE batch))::int AS batches
     FROM ${uses} AS u, unnest(u.pins) AS pin GROUP BY pin ORDER BY pin COLLATE "C"`,
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
     FROM ${uses} AS u, unnest(u.pins) AS pin WHERE pin = ANY ($1) GROUP BY u.id, u.account_id, u.created_at ORDER BY u.created_at, u.id`,
    [lacking],
  );
  return rows.map(({ modelId, accountId, pins }) => ({ modelId, accountId, needs: needsOf(pins) }));
}
