import { Context } from '@temporalio/activity';

const everyMs = 2_000;

/** Details of the last heartbeat of the attempt before this one; undefined or null: there are none. */
export const earlierDetails = (): unknown => Context.current().info.heartbeatDetails as unknown;

/**
 * Sets the details of the next heartbeats. With `store`, a heartbeat calls it first and carries the details once it has
 * returned, so that another attempt finds the objects that they name.
 */
export type Report = (details: object, store?: () => Promise<void>) => void;

/**
 * Runs an activity with heartbeats from the main thread; the signal aborts when the activity is cancelled or the
 * worker shuts down. The heartbeats carry the reported details, for the Temporal UI and for the next attempt. Until
 * `report` is called they carry the details of the attempt before, which Temporal would lose otherwise.
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
