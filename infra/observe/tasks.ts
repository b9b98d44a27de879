import { threads } from './metrics.ts';
import type { Operation } from './noted.ts';
import { recordOperation } from './operations.ts';
import { startSpan } from './trace.ts';

/** Observer of one task of a thread pool. */
export interface TaskFollower {
  /** Called when a thread takes the task. */
  began(): void;
  /** Called with the operations that the thread noted during the task, before it ends. */
  noted(operations: readonly Operation[]): void;
  /** Called once, also for a task that never began. */
  ended(error: unknown): void;
}

/** Measures the tasks of a pool, and traces each as a child of its caller's span: waiting time and running time. */
export const followTasks =
  (pool: string) =>
  (task: string): TaskFollower => {
    const asked = performance.now();
    const span = startSpan(`thread ${task}`, { fields: { 'eeg.pool': pool } });
    let began: number | null = null;
    threads.waiting.inc({ pool });
    return {
      began() {
        began = performance.now();
        threads.waiting.dec({ pool });
        threads.running.inc({ pool });
        threads.waitSeconds.observe({ pool }, (began - asked) / 1000);
      },
      noted(operations) {
        for (const each of operations) {
          if (span) span.within(() => recordOperation(each));
          else recordOperation(each);
        }
      },
      ended(error) {
        const now = performance.now();
        if (began === null) threads.waiting.dec({ pool });
        else {
          threads.running.dec({ pool });
          threads.seconds.observe({ pool, task }, (now - began) / 1000);
        }
        const name = error instanceof Error ? error.name : null;
        if (name !== null) threads.lost.inc({ pool, task });
        span?.set({ 'eeg.waited_ms': (began ?? now) - asked, 'eeg.ran_ms': began === null ? 0 : now - began });
        span?.end(name);
      },
    };
  };
