import { describePin, isOfWeights, missingPins } from '../../../ml/pins/index.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { missingWeights } from '../weights-reports.ts';

export interface PinUse {
  readonly pin: string;
  /** Active models. */
  readonly models: number;
  /** Stored batches of collecting models. */
  readonly batches: number;
  /** Running fits that use it. */
  readonly fits: number;
  /** Whether the service has it: this code, or for weights a running API; true for weights if no API has reported. */
  readonly held: boolean;
}

export interface UnservableModel {
  readonly modelId: string;
  readonly accountId: string;
  /** Missing requirements of the model, in words. */
  readonly needs: readonly string[];
}

/** Stored models and batches, which must stay readable. */
const stored = `
  SELECT m.id, m.account_id, m.created_at, m.pins, 'model' AS use FROM task_models m WHERE m.status = 'active'
  UNION ALL
  SELECT m.id, m.account_id, m.created_at, b.pins, 'batch' FROM task_model_batches b
  JOIN task_models m ON m.id = b.model_id AND m.status = 'collecting'`;

/**
 * Pins of running fits: methods in the requested versions, and the weights in the names of feature sets (`encodedId`).
 */
const running = `
  SELECT f.model_id, f.account_id, f.created_at,
         ARRAY(SELECT format('method:%s@%s', c ->> 'id', c ->> 'version')
               FROM jsonb_array_elements(f.request -> 'candidates') AS c
               UNION SELECT format('weights:%s@%s', split_part(s, '/', 1), split_part(s, '/', 2))
               FROM jsonb_array_elements_text(f.request -> 'featureSets') AS s
               WHERE s ~ '^[a-z0-9-]+/[0-9a-f]{64}/'), 'fit'
  FROM fit_requests f WHERE f.finished_at IS NULL`;

/** Every pin of an active model, a collecting model's batch or a running fit, sorted. */
export async function pinUses(sql: Sql): Promise<PinUse[]> {
  const count = (use: string, name: string): string => `(count(*) FILTER (WHERE use = '${use}'))::int AS ${name}`;
  const { rows } = await sql.query<Omit<PinUse, 'held'>>(
    `SELECT pin, ${count('model', 'models')}, ${count('batch', 'batches')}, ${count('fit', 'fits')}
     FROM (${stored} UNION ALL ${running}) AS u, unnest(u.pins) AS pin GROUP BY pin ORDER BY pin COLLATE "C"`,
  );
  const lacking = await missingInService(
    sql,
    rows.map(({ pin }) => pin),
  );
  return rows.map((row) => ({ ...row, held: !lacking.includes(row.pin) }));
}

/** Finds the pins that cannot be served. */
export type FindMissing = (sql: Sql, pins: readonly string[]) => Promise<readonly string[]>;

/** Checks this process: its code, and the weights on its machine. */
export const missingHere: FindMissing = async (_, pins) => missingPins(pins);

/** Checks the service: this code, and the weights on the machines of running APIs. */
export const missingInService: FindMissing = async (sql, pins) => [
  ...missingPins(pins.filter((pin) => !isOfWeights(pin))),
  ...(await missingWeights(sql, pins.filter(isOfWeights))),
];

/** Pins that the service lacks, in words. */
export const needsInService = async (sql: Sql, pins: readonly string[]): Promise<string[]> =>
  (await missingInService(sql, pins)).map(describePin);

/** Pins that this process lacks, in words. */
export const needsOf = (pins: readonly string[]): string[] => missingPins(pins).map(describePin);

/** Active models, and collecting ones with batches, with missing requirements; oldest first. */
export async function unservableModels(
  sql: Sql,
  findMissing: FindMissing = missingInService,
): Promise<UnservableModel[]> {
  const { rows: used } = await sql.query<{ pin: string }>(
    `SELECT DISTINCT pin FROM (${stored}) AS u, unnest(u.pins) AS pin`,
  );
  const lacking = await findMissing(
    sql,
    used.map(({ pin }) => pin),
  );
  if (lacking.length === 0) return [];
  const { rows } = await sql.query<{ modelId: string; accountId: string; pins: string[] }>(
    `SELECT u.id AS "modelId", u.account_id AS "accountId", array_agg(DISTINCT pin ORDER BY pin) AS pins
     FROM (${stored}) AS u, unnest(u.pins) AS pin WHERE pin = ANY ($1) GROUP BY u.id, u.account_id, u.created_at ORDER BY u.created_at, u.id`,
    [lacking],
  );
  return rows.map(({ modelId, accountId, pins }) => ({ modelId, accountId, needs: pins.map(describePin) }));
}
