import { EventEmitter } from 'node:events';
import type pg from 'pg';

/** Postgres channel that reports ended jobs, after the transaction that ended them has committed. */
const channel = 'fit_ended';

/** Pause before reconnecting after a lost connection. */
const pauseMs = 1_000;

/**
 * Name of a job's event. The prefix is necessary: any client of the database may send any payload, and an event named
 * `error` without a listener is thrown.
 */
const endOf = (jobId: string): string => `end of ${jobId}`;

/** Wraps an UPDATE that ends jobs in a statement that also notifies about each job. */
export const notifying = (update: string): string =>
  `WITH ended AS (${update} RETURNING job_id) SELECT pg_notify('${channel}', job_id::text) FROM ended`;

/** Immediate notifications about ended jobs, from any process. */
export interface EndedFits {
  /**
   * `ended` resolves when the job's end is notified after this call. Ends during a lost connection are not notified: a
   * request that waits must also poll. `forget` removes the subscription.
   */
  subscribe(jobId: string): { readonly ended: Promise<void>; forget(): void };
}

/** For connections without a session, such as behind a transaction pooler. */
export const withoutNotifications: EndedFits = {
  subscribe: () => ({ ended: new Promise(() => undefined), forget: () => undefined }),
};

/** Listens on one connection of the pool, from the first subscription until `close`. */
export function listenForEnded(pool: pg.Pool): EndedFits & { close(): void } {
  const jobs = new EventEmitter().setMaxListeners(0);
  const onNotification = ({ payload = '' }: pg.Notification): void => void jobs.emit(endOf(payload));
  let listener: pg.PoolClient | null = null;
  let connecting = false;
  let closed = false;

  const releaseListener = (): void => {
    listener?.off('notification', onNotification).off('end', lost).release(true);
    listener = null;
  };
  const lost = (): void => {
    releaseListener();
    if (jobs.eventNames().length > 0) setTimeout(listen, pauseMs).unref();
  };
  const listen = (): void => {
    if (listener || connecting || closed) return;
    connecting = true;
    void (async () => {
      listener = await pool.connect();
      listener.on('notification', onNotification).once('end', lost);
      await listener.query(`LISTEN ${channel}`);
    })()
      .catch(lost)
      .finally(() => {
        connecting = false;
        if (closed) releaseListener();
      });
  };
  return {
    subscribe(jobId) {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      jobs.once(endOf(jobId), resolve);
      listen();
      return { ended, forget: () => void jobs.off(endOf(jobId), resolve) };
    },
    close() {
      closed = true;
      if (!connecting) releaseListener();
    },
  };
}
