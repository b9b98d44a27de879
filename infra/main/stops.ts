import { setTimeout as sleep } from 'node:timers/promises';
import { longestUploadSeconds } from '../../api/http/collect.ts';
import { longestDrainSeconds, type Config } from '../drivers/config.ts';
import { usualWaits } from '../../api/jobs/jobs.ts';
import { isLoopback } from '../drivers/config-values.ts';

/**
 * Seconds after which every request has reached its own timeout: the slowest upload, then the wait for a fit's answer.
 */
export const longestRequestSeconds = longestUploadSeconds + usualWaits.answer / 1000 + 60;

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** Longest time to stop a process: the pause, then running requests, then everything else. */
export const stopSeconds = longestDrainSeconds + longestRequestSeconds + 40;

/** Pause in which proxies notice that an API is not ready any more, if other machines can reach it. */
const usualDrainSeconds = 5;

/**
 * Seconds for which a stopping API still accepts requests; 0 after a terminal's Ctrl-C, or if only this machine can
 * reach it; DRAIN_SECONDS overrides this.
 */
export function drainSecondsOf(
  { host, drainSeconds }: Pick<Config, 'host' | 'drainSeconds'>,
  signal: StopSignal | null,
): number {
  if (signal !== 'SIGTERM') return 0;
  return drainSeconds ?? (isLoopback(host) ? 0 : usualDrainSeconds);
}

/** A started part that can be stopped; `signal`: the signal that requested it. */
export interface Part {
  stop(signal?: StopSignal | null): Promise<void>;
}

/** Waits for `work`, at most `seconds`. */
export async function within(seconds: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, sleep(seconds * 1000, undefined, { signal: late.signal }).catch(() => undefined)]).finally(
    () => late.abort(),
  );
}
