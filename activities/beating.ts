import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/**
 * Runs an activity with heartbeats from the main thread; the signal aborts when the activity is cancelled or the
 * worker shuts down.
 */
export async function beating<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await run(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
