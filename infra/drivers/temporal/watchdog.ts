import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../config.ts';

const everyMs = 1_000;
const usualHangMs = 60_000;

export interface Watchdog {
  /** Reports a sign of life: the worker tries again. */
  alive(): void;
  /** Rejects when the worker has neither run nor tried again for too long. Never resolves. */
  readonly hung: Promise<never>;
}

/**
 * Watches a loop that runs workers, until `signal` aborts. The loop may hang: when a poll fails ("Namespace not
 * found"), the SDK sets the state FAILED, and `run` of a worker without workflows never settles. Its native part may
 * still take tasks, so only the end of the process helps.
 */
export function createWatchdog(runs: () => boolean, longestMs: number = usualHangMs, signal: AbortSignal): Watchdog {
  const { promise: hung, reject } = Promise.withResolvers<never>();
  hung.catch(() => undefined);
  let lastAlive = performance.now();
  void (async () => {
    for (;;) {
      await sleep(Math.min(everyMs, longestMs), undefined, { ref: false, signal });
      if (runs()) lastAlive = performance.now();
      else if (performance.now() - lastAlive > longestMs) break;
    }
    const seconds = Math.round(longestMs / 1000);
    reject(
      new ConfigError([
        `The worker has neither taken tasks from Temporal nor tried again for ${seconds} s, so this process ends. ` +
          'Start it again; a supervisor does so by itself.',
      ]),
    );
  })().catch(() => undefined);
  return {
    hung,
    alive: () => {
      lastAlive = performance.now();
    },
  };
}
