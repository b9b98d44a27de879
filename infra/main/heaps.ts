import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { collectGarbage } from '../drivers/garbage.ts';

/** V8's own largest growth factor, which it uses for busy heaps. */
const growthFactor = 4;

/**
 * Lets the heaps of all threads grow to four times the size after the last full collection before the next one. By
 * default V8 collects idle threads sooner: threads that waited between predictions collected their whole heap five
 * times a second for a few megabytes of arrays, a third of their CPU time.
 */
export const growHeaps = (): void => setFlagsFromString(`--heap-growing-percent=${100 * (growthFactor - 1)}`);

const everyMs = 3_000;
/** A collection is worthwhile after this much work of the main thread, in milliseconds. */
const workMs = 1_000;
/** The main thread counts as idle if it works less than this share of the time. */
const idleShare = 0.1;

/**
 * Collects the garbage of the main thread when it becomes idle. V8 collects only while a thread allocates, so the
 * bodies and results of the last requests would otherwise stay: 300 MiB after minutes of heavy creates. A worker thread
 * is idle when it has no task (`whenIdle`); the main thread has no tasks, so its use of the event loop decides.
 */
export function collectWhenIdle(): void {
  let seen = performance.eventLoopUtilization();
  let worked = 0;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, seen);
    seen = now;
    worked += active;
    if (worked < workMs || utilization > idleShare) return;
    worked = 0;
    void collectGarbage();
  }, everyMs).unref();
}
