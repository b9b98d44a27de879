import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/** What the last attempt of this activity told with its heartbeats; undefined or null: nothing. */
export const earlierDetails = (): unknown => Context.current().info.heartbeatDetails as unknown;

/**
 * Runs an activity with heartbeats from the main thread; the signal aborts when the activity is cancelled or the
 * worker shuts down. What is told goes along with them, for the Temporal UI; until something is, what the attempt
 * before told, which would be lost otherwise.
 */
export async function beating<T>(run: (signal: AbortSignal, tell: (done: object) => void) => Promise<T>): Promise<T> {
  const context = Context.current();
  let told = (earlierDetails() ?? undefined) as object | undefined;
  const timer = setInterval(() => context.heartbeat(told), everyMs);
  try {
    return await run(context.cancellationSignal, (done) => (told = done));
  } finally {
    clearInterval(timer);
  }
}
