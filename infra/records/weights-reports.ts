import { pinOfWeights } from '../../ml/pins/index.ts';
import type { Sql } from '../drivers/postgres/transaction.ts';

type Queryable = Pick<Sql, 'query'>;

/** An API needs weights to answer predictions, a worker to read the trials of creates. */
export type ReporterRole = 'api' | 'worker';

/** A process and the pretrained weights that it has reported as installed. */
export interface WeightsReport {
  readonly process: string;
  readonly role: ReporterRole;
  /** Pins. */
  readonly weights: readonly string[];
}

/** How often a process repeats its report. */
export const reportWeightsMs = 30_000;
/** A process that has not reported for this long counts as gone. */
const liveFor = `interval '3 minutes'`;

/**
 * Stores the report of a process and removes old reports of processes that are gone. The last reports of APIs stay
 * until another API runs, so that the installed weights are known while no API runs.
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

/** Marks a process as ended. The last report of an API stays: it counts while no other API runs. */
export async function forgetWeightsReport(sql: Queryable, process: string): Promise<void> {
  await sql.query(
    `WITH gone AS (DELETE FROM weights_held WHERE process = $1 AND role = 'worker')
     UPDATE weights_held SET seen_at = now() - ${liveFor} WHERE process = $1 AND role = 'api'`,
    [process],
  );
}

/** The reports of the running processes. */
export async function weightsReports(sql: Queryable): Promise<readonly WeightsReport[]> {
  const { rows } = await sql.query<WeightsReport>(
    `SELECT process, role, weights FROM weights_held WHERE seen_at > now() - ${liveFor}
     ORDER BY role, process COLLATE "C"`,
  );
  return rows;
}

/** Whether every worker that has reported has the weights; true if no worker has reported. */
export const everyWorkerHas = (
  holders: readonly WeightsReport[],
  weights: Parameters<typeof pinOfWeights>[0],
): boolean => holders.every((each) => each.role !== 'worker' || each.weights.includes(pinOfWeights(weights)));

/**
 * The pins of weights that the service lacks: no running API has them. If no API runs, the last reports of all APIs
 * count. If no API has ever reported, the answer is empty.
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
