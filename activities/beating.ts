import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/** What the last attempt of this activity told with its heartbeats; undefined or null: nothing. */
export const earlierDetails = (): unknown => Context.current().info.heartbeatDetails as unknown;

/**
 * Takes what the next heartbeats tell. `store` is called at the next of them, and they tell it once that has returned:
 * another attempt finds what they name.
 */
export type Tell = (done: object, store?: () => Promise<void>) => void;

/**
 * Runs an activity with heartbeats from the main thread; the signal aborts when the activity is cancelled or the
 * worker shuts down. What is told goes along with them, for the Temporal UI; until something is, what the attempt
 * before told, which would be lost otherwise.
 */
export async function beating<T>(run: (signal: AbortSignal, tell: Tell) => Promise<T>): Promise<T> {
  const context = Context.current();
  let told = (earlierDetails() ?? undefined) as object | undefined;
  let untold: { readonly done: object; readonly store: () => Promise<void> } | null = null;
  let isStoring = false;
  const store = async (): Promise<void> => {
    if (!untold || isStoring) return;
    const now = untold;
    isStoring = true;
    untold = null;
    try {
      await now.store();
      told = now.done;
    } catch {
      untold ??= now;
    } finally {
      isStoring = false;
    }
  };
  const timer = setInterval(() => {
    context.heartbeat(told);
    void store();
  }, everyMs);
  try {
    return await run(context.cancellationSignal, (done, store) => {
      if (store) untold = { done, store };
      else told = done;
    });
  } finally {
    clearInterval(timer);
  }
}
