import { setTimeout as sleep } from 'node:timers/promises';
import { longestUploadSeconds } from '../../api/http/collect.ts';
import { longestDrainSeconds, type Config } from '../drivers/config.ts';
import { usualWaits } from '../../api/jobs/jobs.ts';
import { isLoopback } from '../drivers/config-values.ts';

/** Seconds after which every request has met its own limit: the slowest upload, then the wait for a fit's answer. */
export const longestRequestSeconds = longestUploadSeconds + usualWaits.answer / 1000 + 60;

export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** Longest that a process takes to end: its pause, then its requests are answered, then the rest ends. */
export const stopSeconds = longestDrainSeconds + longestRequestSeconds + 40;

/** Pause in which proxies notice that an API is not ready any more, where others than this machine may reach it. */
const usualDrainSeconds = 5;

/**
 * Seconds for which an API that was told to end still takes requests: none where a terminal's Ctrl-C asks, or where
 * nobody but this machine can reach it; DRAIN_SECONDS says otherwise.
 */
export function drainSecondsOf(
  { host, drainSeconds }: Pick<Config, 'host' | 'drainSeconds'>,
  signal: StopSignal | null,
): number {
  if (signal !== 'SIGTERM') return 0;
  return drainSeconds ?? (isLoopback(host) ? 0 : usualDrainSeconds);
}

/** Something that was started and can be stopped; `signal`: what asked for it. */
export interface Part {
  stop(signal?: StopSignal | null): Promise<void>;
}

/** Waits for `work`, but no longer than `seconds`. */
export async function within(seconds: number, work: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([work, sleep(seconds * 1000, undefined, { signal: late.signal }).catch(() => undefined)]).finally(
    () => late.abort(),
  );
}
