import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/** Details of the previous attempt's last heartbeat; undefined or null: none. */
export const earlierDetails = (): unknown => Context.current().info.heartbeatDetails as unknown;

/**
 * Sets the details of the next heartbeats. With `store`, a heartbeat first calls it and carries the details after it
 * has returned, so that the next attempt finds the objects that they name.
 */
export type Report = (details: object, store?: () => Promise<void>) => void;

/**
 * Runs an activity with heartbeats from the main thread. The signal aborts when the activity is cancelled or the worker
 * shuts down. Heartbeats carry the reported details, for the Temporal UI and for the next attempt. Until the first call
 * of `report` they carry the details of the previous attempt, which Temporal would otherwise lose.
 */
export async function withHeartbeats<T>(run: (signal: AbortSignal, report: Report) => Promise<T>): Promise<T> {
  const context = Context.current();
  let details = (earlierDetails() ?? undefined) as object | undefined;
  let unstored: { readonly details: object; readonly store: () => Promise<void> } | null = null;
  let isStoring = false;
  const store = async (): Promise<void> => {
    if (!unstored || isStoring) return;
    const now = unstored;
    isStoring = true;
    unstored = null;
    try {
      await now.store();
      details = now.details;
    } catch {
      unstored ??= now;
    } finally {
      isStoring = false;
    }
  };
  const timer = setInterval(() => {
    context.heartbeat(details);
    void store();
  }, everyMs);
  try {
    return await run(context.cancellationSignal, (next, store) => {
      if (store) unstored = { details: next, store };
      else details = next;
    });
  } catch (error) {
    context.heartbeat(details);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
