import { EventEmitter } from 'node:events';
import type pg from 'pg';

/** On it Postgres tells of jobs that have ended, once the transaction that ended them has committed. */
const channel = 'fit_ended';

/** Before a connection that was lost is tried again. */
const pauseMs = 1_000;

/**
 * Its event: whoever may connect to the database may tell anything, and an event `error` that nobody hears is thrown.
 */
const endOf = (jobId: string): string => `end of ${jobId}`;

/** The UPDATE that ends jobs, as a statement that also tells of each. */
export const notifying = (update: string): string =>
  `WITH ended AS (${update} RETURNING job_id) SELECT pg_notify('${channel}', job_id::text) FROM ended`;

/** Hears at once of jobs that end, whichever process ends them. */
export interface EndedFits {
  /**
   * `ended` resolves when the job is told of from now on. What ends while the connection is lost is never told: who
   * waits for an answer also looks for it at intervals. `forget`: nobody waits any more.
   */
  subscribe(jobId: string): { readonly ended: Promise<void>; forget(): void };
}

/** Where connections keep no session, as behind a transaction pooler. */
export const withoutNotifications: EndedFits = {
  subscribe: () => ({ ended: new Promise(() => undefined), forget: () => undefined }),
};

/** Listens on one connection of the pool, from the first job that is waited for until it is closed. */
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
