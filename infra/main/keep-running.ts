import { setTimeout as sleep } from 'node:timers/promises';
import type { Part } from './stops.ts';

interface Server extends Part {
  readonly ended: Promise<void>;
}

const retryMs = 2_000;

/** Starts a server and starts it again whenever it ends by itself. `start` is given the one before, whose ports it takes again. */
export async function keepRunning<T extends Server>(
  name: string,
  log: (line: string) => void,
  start: (before: T | null) => Promise<T>,
): Promise<{ first: T } & Part> {
  const first = await start(null);
  let current = first;
  let stopping = false;
  const again = async (): Promise<T> => {
    for (;;) {
      try {
        return await start(current);
      } catch (error) {
        log(`${name} could not be started again: ${(error as Error).message}`);
        await sleep(retryMs);
        if (stopping) return current;
      }
    }
  };
  const watch = (async () => {
    for (;;) {
      await current.ended;
      if (stopping) return;
      log(`${name} ended unexpectedly and is started again.`);
      current = await again();
    }
  })();
  return {
    first,
    async stop() {
      stopping = true;
      await current.stop();
      await Promise.race([watch, sleep(retryMs)]);
      await current.stop();
    },
  };
}
