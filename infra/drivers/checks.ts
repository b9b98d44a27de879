import type { Client } from '@temporalio/client';
import { Unready, type Check, type CheckName } from '../observe/readiness.ts';
import { ObjectMissing, type ObjectStore } from './objects/object-store.ts';
import { createPool } from './postgres/pool.ts';
import { isReadOnly } from './postgres/errors.ts';
import type { Sql } from './postgres/transaction.ts';

/** Timeout of one check; shorter than the timeout of the readiness loop. */
const waitMs = 1_500;

/** gRPC code. */
const notFound = 5;

/** Name of an object that is never written: a store that answers "not found" is reachable. */
const absent = 'readiness';

/** The servers of a process, and the functions that report whether its worker and threads are ready. */
export interface Checked {
  readonly sql: Pick<Sql, 'query'>;
  readonly client: Client;
  readonly objects: Pick<ObjectStore, 'get'>;
  /**
   * Why Temporal is of no use to this process, in words: an API cannot create, or a worker gets no tasks; null: it is.
   */
  readonly work?: () => string | null;
  /** Why threads are not ready yet, in words; null: they are. */
  readonly threads: () => string | null;
}

/** A separate connection for checks and gauges, so that they and the requests do not wait for each other. */
export const openProbe = (url: string): ReturnType<typeof createPool> =>
  createPool(url, { max: 1, silenceMs: waitMs, connectMs: waitMs, statementMs: waitMs });

/**
 * An error makes the pool close its connection, so that the next check connects to the current primary after a
 * failover.
 */
const writable = `DO $$ BEGIN
  IF current_setting('transaction_read_only')::bool THEN RAISE read_only_sql_transaction; END IF;
END $$`;

async function takesWrites(sql: Checked['sql']): Promise<void> {
  await sql.query(writable).catch((error: unknown) => {
    throw isReadOnly(error) ? new Unready('The database takes no writes.') : error;
  });
}

/** The four dependencies of a process. */
export const checksOf = ({
  sql,
  client,
  objects,
  threads,
  work = () => null,
}: Checked): Readonly<Record<CheckName, Check>> => ({
  database: { words: 'The database', look: () => takesWrites(sql) },
  temporal: {
    words: 'Temporal',
    look: async () => {
      await client
        .withDeadline(Date.now() + waitMs, () =>
          client.workflowService.describeNamespace({ namespace: client.options.namespace }),
        )
        .catch((error: { code?: number }) => {
          throw error.code === notFound ? new Unready('Temporal does not know the namespace of this service.') : error;
        });
      const reason = work();
      if (reason !== null) throw new Unready(reason);
    },
  },
  store: {
    words: 'The object store',
    look: () =>
      objects.get(absent).catch((error: unknown) => {
        if (!(error instanceof ObjectMissing)) throw error;
      }),
  },
  threads: {
    words: 'The threads',
    look: async () => {
      const reason = threads();
      if (reason !== null) throw new Unready(reason);
    },
  },
});
