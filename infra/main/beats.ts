import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../observe/log.ts';
import { within } from './stops.ts';

const stopSeconds = 5;

export interface Beats {
  /** Does it now, besides. */
  beat(): Promise<void>;
  /** Ends the beats, then does `last`. Both together take at most 5 seconds. */
  stop(last?: () => Promise<unknown>): Promise<void>;
}

/**
 * Does `work` now and again after each `everyMs`, until it is stopped. The first failure in a row is warned of with
 * `warning`; the next beat tries again.
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
