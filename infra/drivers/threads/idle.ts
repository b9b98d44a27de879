import { getHeapStatistics } from 'node:v8';
import { releaseCodec } from '../codec.ts';
import { collectGarbage } from '../garbage.ts';

/** A thread counts as idle this long after its last task. */
const idleMs = 3_000;
/** A garbage collection takes some tens of milliseconds. It is worthwhile after tasks of this long, in milliseconds. */
const longMs = 1_000;
/** Or from this many bytes of buffers. */
const largeBytes = 32 * 1024 * 1024;

/** Called when tasks of a thread begin and end. */
export interface Idle {
  began(): void;
  ended(): void;
}

/**
 * Frees memory once a thread is idle: calls `forget`, which clears caches for later tasks, and collects garbage if its
 * tasks were long or large buffers remain. V8 collects a thread's heap only while the thread runs, so the buffers of
 * its last task would otherwise stay, and so would the empty pages that V8 keeps for all threads together: about 400
 * MiB after minutes of fits.
 */
export function whenIdle(forget: () => void): Idle {
  let running = 0;
  let beganAt = 0;
  let busyMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    forget();
    releaseCodec();
    if (busyMs > longMs || getHeapStatistics().external_memory > largeBytes) void collectGarbage();
    busyMs = 0;
  };
  return {
    began() {
      if (running === 0) beganAt = performance.now();
      running += 1;
      clearTimeout(timer);
    },
    ended() {
      running -= 1;
      if (running > 0) return;
      busyMs += performance.now() - beganAt;
      timer = setTimeout(rest, idleMs).unref();
    },
  };
}
