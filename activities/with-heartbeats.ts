import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/** The details of the last heartbeat of the attempt before this one; undefined or null: none. */
export const earlierDetails = (): unknown => Context.current().info.heartbeatDetails as unknown;

export interface Heartbeats {
  /**
   * Sends the details with the next heartbeats. With `store`, that is called first, and the details are sent once it has
   * succeeded: so another attempt finds the objects that they name.
   */
  report(details: object, store?: () => Promise<void>): void;
}

/**
 * Runs an activity with heartbeats from the main thread; the signal aborts when the activity is cancelled or the worker
 * shuts down. The Temporal UI shows the details of the last heartbeat. Until the activity reports any, the heartbeats
 * repeat those of the attempt before.
 */
export async function withHeartbeats<T>(run: (signal: AbortSignal, heartbeats: Heartbeats) => Promise<T>): Promise<T> {
  const context = Context.current();
  let details = (earlierDetails() ?? undefined) as object | undefined;
  let pending: { readonly details: object; readonly store: () => Promise<void> } | null = null;
  let isStoring = false;
  const storePending = async (): Promise<void> => {
    if (!pending || isStoring) return;
    const now = pending;
    isStoring = true;
    pending = null;
    try {
      await now.store();
      details = now.details;
    } catch {
      pending ??= now;
    } finally {
      isStoring = false;
    }
  };
  const timer = setInterval(() => {
    context.heartbeat(details);
    void storePending();
  }, everyMs);
  try {
    return await run(context.cancellationSignal, {
      report(next, store) {
        if (store) pending = { details: next, store };
        else details = next;
      },
    });
  } catch (error) {
    // Temporal hands the last details to the next attempt.
    context.heartbeat(details);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
