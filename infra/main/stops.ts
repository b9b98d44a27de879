import { setTimeout as sleep } from 'node:timers/promises';
import { longestUploadSeconds } from '../../api/http/collect.ts';
import { usualWaits } from '../records/fit-jobs/jobs.ts';

/** Seconds after which every request has met its own limit: the slowest upload, then the wait for a fit's answer. */
export const longestRequestSeconds = longestUploadSeconds + usualWaits.answer / 1000 + 60;

/** Something that was started and can be stopped. */
export interface Part {
  stop(): Promise<void>;
}

/** Waits for `stop`, but no longer than `seconds`. */
export async function within(seconds: number, stop: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  await Promise.race([stop, sleep(seconds * 1000, undefined, { signal: late.signal }).catch(() => undefined)]).finally(
    () => late.abort(),
  );
}

/** Like Promise.all, but waits for all before it throws, so that nothing is left half started. */
export async function settleAll<T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
