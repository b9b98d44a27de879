import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../observe/log.ts';
import { within } from './stops.ts';

const stopSeconds = 5;

export interface Beats {
  /** Runs it now, in addition to the intervals. */
  beat(): Promise<void>;
  /** Stops the intervals, then runs `last`. Both together take at most 5 seconds. */
  stop(last?: () => Promise<unknown>): Promise<void>;
}

/**
 * Runs `work` now and then every `everyMs` until it is stopped. The first failure in a row is logged with `warning`;
 * the next interval tries again.
 */
export async function startBeats(
  work: () => Promise<void>,
  { everyMs, warning, log }: { readonly everyMs: number; readonly warning: string; readonly log: Pick<Log, 'warn'> },
): Promise<Beats> {
  let isFailing = false;
  const beat = async (): Promise<void> => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn(warning, { error });
      isFailing = true;
    }
  };
  const end = new AbortController();
  await beat();
  const beats = (async () => {
    for (;;) {
      await sleep(everyMs, undefined, { ref: false, signal: end.signal });
      await beat();
    }
  })().catch(() => undefined);
  return {
    beat,
    async stop(last = async () => undefined) {
      end.abort();
      await within(
        stopSeconds,
        beats.then(last).catch(() => undefined),
      );
    },
  };
}
