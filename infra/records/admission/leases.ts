import { clearInterval, setInterval } from 'node:timers';
import { prepared } from '../../drivers/postgres/prepared.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** Ends a request's lease: it is no longer in flight. */
export async function releaseLease(sql: Sql, leaseId: string): Promise<void> {
  await prepared(sql, 'DELETE FROM request_leases WHERE id = $1', [leaseId]);
}

/**
 * Extends idempotency locks and the leases of the same ids. The end of a request locks them in the same order, so that
 * no deadlock occurs.
 */
async function renew(sql: Sql, leaseIds: readonly string[], seconds: number): Promise<void> {
  await prepared(
    sql,
    `WITH locks AS (UPDATE idempotency_keys SET locked_until = clock_timestamp() + make_interval(secs => $2)
      WHERE lock_id = ANY($1::uuid[]) AND state = 'running' RETURNING 1)
     UPDATE request_leases SET expires_at = clock_timestamp() + make_interval(secs => $2)
     WHERE id = ANY($1::uuid[]) AND (SELECT count(*) FROM locks) >= 0`,
    [leaseIds, seconds],
  );
}

export interface LeaseKeeper {
  readonly seconds: number;
  hold(leaseId: string): void;
  drop(leaseId: string): void;
  /** Number of this process's requests in flight. */
  readonly inFlight: number;
  close(): void;
}

/**
 * Renews the leases of this process's running requests, with one statement per third of their duration. Leases of a
 * dead process expire.
 */
export function createLeaseKeeper({
  sql,
  seconds,
  onError,
}: {
  sql: Sql;
  seconds: number;
  onError: (error: unknown) => void;
}): LeaseKeeper {
  const leaseIds = new Set<string>();
  const timer = setInterval(
    () => {
      if (leaseIds.size > 0) renew(sql, [...leaseIds], seconds).catch(onError);
    },
    (seconds * 1000) / 3,
  );
  timer.unref();
  return {
    seconds,
    hold: (leaseId) => void leaseIds.add(leaseId),
    drop: (leaseId) => void leaseIds.delete(leaseId),
    get inFlight() {
      return leaseIds.size;
    },
    close: () => clearInterval(timer),
  };
}
