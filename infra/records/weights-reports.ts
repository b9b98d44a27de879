import { pinOfWeights } from '../../ml/pins/index.ts';
import type { Sql } from '../drivers/postgres/transaction.ts';

type Queryable = Pick<Sql, 'query'>;

/** What a process holds weights for: to answer, or to read the trials of creates. */
export type ReporterRole = 'api' | 'worker';

/** A process that says which pretrained weights it holds. */
export interface WeightsReport {
  readonly process: string;
  readonly role: ReporterRole;
  /** Pins. */
  readonly weights: readonly string[];
}

/** How often a process says again what it holds. */
export const reportWeightsMs = 30_000;
/** A process that has said nothing for this long is gone. */
const liveFor = `interval '3 minutes'`;

/**
 * Writes down what a process holds now, and removes what was left by some that are long gone; of APIs only where one
 * lives, so that what they said last is known while none runs.
 */
export async function reportWeights(sql: Queryable, { process, role, weights }: WeightsReport): Promise<void> {
  await sql.query(
    `WITH gone AS (DELETE FROM weights_held WHERE process IN (
       SELECT process FROM weights_held WHERE seen_at < now() - interval '1 hour' AND process <> $1
         AND (role <> 'api' OR $2 = 'api' OR EXISTS (
           SELECT FROM weights_held WHERE role = 'api' AND seen_at > now() - ${liveFor}))
       FOR UPDATE SKIP LOCKED))
     INSERT INTO weights_held (process, role, weights, seen_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (process) DO UPDATE SET role = excluded.role, weights = excluded.weights, seen_at = excluded.seen_at`,
    [process, role, weights],
  );
}

/** A process ends. What an API said last is kept: it counts while no other lives. */
export async function forgetWeightsReport(sql: Queryable, process: string): Promise<void> {
  await sql.query(
    `WITH gone AS (DELETE FROM weights_held WHERE process = $1 AND role = 'worker')
     UPDATE weights_held SET seen_at = now() - ${liveFor} WHERE process = $1 AND role = 'api'`,
    [process],
  );
}

/** The processes that live and say what they hold. */
export async function weightsReports(sql: Queryable): Promise<readonly WeightsReport[]> {
  const { rows } = await sql.query<WeightsReport>(
    `SELECT process, role, weights FROM weights_held WHERE seen_at > now() - ${liveFor}
     ORDER BY role, process COLLATE "C"`,
  );
  return rows;
}

/** Whether every worker that says what it holds has the weights; so it is where none does. */
export const everyWorkerHas = (
  holders: readonly WeightsReport[],
  weights: Parameters<typeof pinOfWeights>[0],
): boolean => holders.every((each) => each.role !== 'worker' || each.weights.includes(pinOfWeights(weights)));

/**
 * Those of the pins of weights that the service lacks: no API that lives holds them, or where none lives, none held
 * them that did. Where no API ever said what it holds nothing is known to be lacking.
 */
export async function missingWeights(sql: Queryable, pins: readonly string[]): Promise<readonly string[]> {
  if (pins.length === 0) return [];
  const { rows } = await sql.query<{ weights: string[]; lives: boolean }>(
    `SELECT weights, seen_at > now() - ${liveFor} AS lives FROM weights_held WHERE role = 'api'`,
  );
  const live = rows.filter(({ lives }) => lives);
  const apis = live.length > 0 ? live : rows;
  return apis.length === 0 ? [] : pins.filter((pin) => !apis.some(({ weights }) => weights.includes(pin)));
}
