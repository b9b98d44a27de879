import type { Sql } from '../drivers/postgres/transaction.ts';
import { processName } from '../drivers/process-name.ts';
import type { Log } from '../observe/log.ts';
import { announceStop, beat, beatMs } from '../records/deaths/worker-processes.ts';
import { startBeats } from './beats.ts';
import { within } from './stops.ts';

const announceSeconds = 5;

export interface Alive {
  /** The process was told to stop: whatever ends it from now on, no job is at fault. */
  stopping(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Renews the row of this worker process until it is stopped, so that other processes can tell that it lives. A failure is
 * warned of once and tried again with the next beat.
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
