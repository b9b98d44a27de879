import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { heldWeightsPins } from '../../ml/pins/index.ts';
import type { Sql } from '../drivers/postgres/index.ts';
import type { Log } from '../observe/log.ts';
import { forgetHeld, sayHeld, sayHeldMs, type HolderRole } from '../records/weights-held.ts';
import { within } from './stops.ts';

const stopSeconds = 5;

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
  let failing = false;
  const say = async (): Promise<void> => {
    try {
      await sayHeld(sql, { process: name, role, weights: heldWeightsPins() });
      failing = false;
    } catch (error) {
      if (!failing) log.warn('Other processes could not be told which pretrained weights this one holds.', { error });
      failing = true;
    }
  };
  const end = new AbortController();
  await say();
  const beats = (async () => {
    for (;;) {
      await sleep(sayHeldMs, undefined, { ref: false, signal: end.signal });
      await say();
    }
  })().catch(() => undefined);
  return {
    async stop() {
      end.abort();
      const forgotten = beats.then(() => forgetHeld(sql, name)).catch(() => undefined);
      await within(stopSeconds, forgotten);
    },
  };
}
