import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '../observe/log.ts';
import { sealLedger } from '../records/ledger/seal.ts';
import { within } from './stops.ts';

/** Transactions are sealed within a minute: a quarter of it between two runs, half of it for a long transaction. */
const everyMs = 15_000;
const stopSeconds = 5;

/**
 * Seals the ledger's transactions in the background until it is stopped. Only one of several processes does it at a
 * time. A failure is logged once and repeated at the next run.
 */
export function keepSealed(pool: pg.Pool, log: Pick<Log, 'warn'>): { stop(): Promise<void> } {
  const end = new AbortController();
  let failing = false;
  const turn = async (): Promise<void> => {
    try {
      const { left } = await sealLedger(pool);
      if (left === 'a transaction takes long') throw new Error('A transaction that writes to the ledger takes long.');
      failing = false;
    } catch (error) {
      if (!failing) log.warn('Ledger transactions could not be sealed; it is tried again.', { error });
      failing = true;
    }
  };
  const turns = (async () => {
    for (;;) {
      await turn();
      await sleep(everyMs, undefined, { ref: false, signal: end.signal });
    }
  })().catch(() => undefined);
  return {
    async stop() {
      end.abort();
      await within(stopSeconds, turns);
    },
  };
}
