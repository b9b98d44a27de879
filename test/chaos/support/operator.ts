import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { blockedModels, unblockModel } from '../../../infra/records/deaths/prediction-deaths.ts';

/** An operator who unblocks each model within a second: an API that was killed while it labelled with it has it blocked. */
export function startOperator(pool: pg.Pool): { stop(): Promise<void> } {
  const end = new AbortController();
  const work = (async () => {
    for (;;) {
      await sleep(1_000, undefined, { signal: end.signal });
      for (const { modelId } of await blockedModels(pool).catch(() => [])) await unblockModel(pool, modelId);
    }
  })().catch(() => undefined);
  return {
    async stop() {
      end.abort();
      await work;
    },
  };
}
