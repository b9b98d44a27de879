import { pinOfWeights } from '../../ml/pins/index.ts';
import type { Sql } from '../drivers/postgres/index.ts';

type Asked = Pick<Sql, 'query'>;

/** What a process holds weights for: to answer, or to read the trials of creates. */
export type HolderRole = 'api' | 'worker';

/** A process that says which pretrained weights it holds. */
export interface WeightsHolder {
  readonly process: string;
  readonly role: HolderRole;
  /** Pins. */
  readonly weights: readonly string[];
}

/** How often a process says again what it holds. */
export const sayHeldMs = 30_000;
/** A process that has said nothing for this long is gone. */
const liveFor = `interval '3 minutes'`;

/** Writes down what a process holds now, and removes what was left by some that are long gone. */
export async function sayHeld(sql: Asked, { process, role, weights }: WeightsHolder): Promise<void> {
  await sql.query(
    `WITH gone AS (DELETE FROM weights_held WHERE process IN (
       SELECT process FROM weights_held WHERE seen_at < now() - interval '1 hour' AND process <> $1
       FOR UPDATE SKIP LOCKED))
     INSERT INTO weights_held (process, role, weights, seen_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (process) DO UPDATE SET role = excluded.role, weights = excluded.weights, seen_at = excluded.seen_at`,
    [process, role, weights],
  );
}

/** A process ends. */
export async function forgetHeld(sql: Asked, process: string): Promise<void> {
  await sql.query('DELETE FROM weights_held WHERE process = $1', [process]);
}

/** The processes that live and say what they hold. */
export async function weightsHolders(sql: Asked): Promise<readonly WeightsHolder[]> {
  const { rows } = await sql.query<WeightsHolder>(
    `SELECT process, role, weights FROM weights_held WHERE seen_at > now() - ${liveFor}
     ORDER BY role, process COLLATE "C"`,
  );
  return rows;
}

/** Whether every worker that says what it holds has the weights; so it is where none does. */
export const everyWorkerHolds = (
  holders: readonly WeightsHolder[],
  weights: Parameters<typeof pinOfWeights>[0],
): boolean => holders.every((each) => each.role !== 'worker' || each.weights.includes(pinOfWeights(weights)));

/**
 * Those of the pins of weights that the service lacks: an API lives that says what it holds, and none that does holds
 * them. Where no API says anything nothing is known to be lacking.
 */
export async function weightsLacking(sql: Asked, pins: readonly string[]): Promise<readonly string[]> {
  if (pins.length === 0) return [];
  const apis = (await weightsHolders(sql)).filter(({ role }) => role === 'api');
  return apis.length === 0 ? [] : pins.filter((pin) => !apis.some(({ weights }) => weights.includes(pin)));
}
