import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningServer {
  /** Settles when the server has ended for any reason. */
  readonly ended: Promise<void>;
  /** Ends the server; does nothing if it has ended. */
  stop(): Promise<void>;
}

const retryMs = 2_000;

/**
 * Starts a server and restarts it whenever it ends by itself. `start` receives the former server, whose ports it uses
 * again.
 */
export async function keepRunning<T extends RunningServer>(
  name: string,
  log: (line: string) => void,
  start: (before: T | null) => Promise<T>,
): Promise<{ readonly first: T; readonly current: T; stop(): Promise<void> }> {
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
      if (stopping) return await current.stop();
    }
  })();
  return {
    first,
    get current() {
      return current;
    },
    async stop() {
      stopping = true;
      await current.stop();
      await watch;
    },
  };
}
