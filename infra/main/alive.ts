import type { Sql } from '../drivers/postgres/transaction.ts';
import { processName } from '../drivers/process-name.ts';
import type { Log } from '../observe/log.ts';
import { announceStop, beat, beatMs } from '../records/deaths/worker-processes.ts';
import { startBeats } from './beats.ts';
import { within } from './stops.ts';

const announceSeconds = 5;

export interface Alive {
  /** Records that the process is stopping on request: its end then counts against no job. */
  stopping(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Renews the row of this worker process at intervals until it is stopped, so that other processes know that it runs. A
 * failure is logged once and repeated at the next interval.
 */
export async function keepAlive(sql: Pick<Sql, 'query'>, log: Pick<Log, 'warn'>): Promise<Alive> {
  let isStopping = false;
  const renew = async (): Promise<void> => {
    await beat(sql, processName);
    if (isStopping) await announceStop(sql, processName);
  };
  const warning = 'The row of this worker process could not be renewed.';
  const beats = await startBeats(renew, { everyMs: beatMs, warning, log });
  return {
    async stopping() {
      isStopping = true;
      await within(announceSeconds, beats.beat());
    },
    stop: () => beats.stop(),
  };
}
