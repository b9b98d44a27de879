import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';

/** A thread counts as idle this long after its last task. */
const idleMs = 3_000;
/** Buffers of this many bytes are worth a collection, which takes some tens of milliseconds. */
const largeBytes = 32 * 1024 * 1024;

/** Told when tasks of a thread begin and end. */
export interface Idle {
  began(): void;
  ended(): void;
}

/**
 * Gives memory back once a thread has nothing to do: it calls `forget`, which drops what was kept for tasks to come, and
 * has the garbage collected where large buffers are left. V8 collects a thread only while it runs, so the buffers of its
 * last task would stay.
 */
export function whenIdle(forget: () => void): Idle {
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  const rest = (): void => {
    forget();
    if (getHeapStatistics().external_memory > largeBytes) void collect();
  };
  return {
    began() {
      running += 1;
      clearTimeout(timer);
    },
    ended() {
      running -= 1;
      if (running === 0) timer = setTimeout(rest, idleMs).unref();
    },
  };
}

async function collect(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
