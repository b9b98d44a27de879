import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { installedWeightsPins } from '../../ml/pins/index.ts';
import type { Sql } from '../drivers/postgres/transaction.ts';
import type { Log } from '../observe/log.ts';
import { forgetHeld, sayHeld, sayHeldMs, type HolderRole } from '../records/weights-held.ts';
import { startBeats } from './beats.ts';

/**
 * Has the other processes know which pretrained weights this one holds, until it is stopped. Where that fails it is
 * warned of once and tried again with the next beat.
 */
export async function keepHeld(
  sql: Pick<Sql, 'query'>,
  role: HolderRole,
  log: Pick<Log, 'warn'>,
): Promise<{ stop(): Promise<void> }> {
  const name = `${hostname()}/${process.pid}/${randomUUID().slice(0, 8)}`;
  const say = (): Promise<void> => sayHeld(sql, { process: name, role, weights: installedWeightsPins() });
  const warning = 'This process could not report to others which pretrained weights it has.';
  const beats = await startBeats(say, { everyMs: sayHeldMs, warning, log });
  return { stop: () => beats.stop(() => forgetHeld(sql, name)) };
}
