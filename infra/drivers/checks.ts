import type { Client } from '@temporalio/client';
import { Unready, type Check, type CheckName } from '../observe/readiness.ts';
import { ObjectMissing, type ObjectStore } from './objects/object-store.ts';
import { createPool } from './postgres/pool.ts';
import { isReadOnly } from './postgres/errors.ts';
import type { Sql } from './postgres/transaction.ts';

/** Longest that a check waits for its server; shorter than the look gives it. */
const waitMs = 1_500;

/** An object that is never written: a store that answers says so. */
const absent = 'readiness';

/** Where a process's servers are, and what tells whether its threads are warm. */
export interface Checked {
  readonly sql: Pick<Sql, 'query'>;
  readonly client: Client;
  readonly objects: Pick<ObjectStore, 'get'>;
  /** Why the process takes no tasks from Temporal, where that is what it is for, in words; null where it does. */
  readonly polling?: () => string | null;
  /** Why threads cannot take work yet, in words; null where they can. */
  readonly threads: () => string | null;
}

/** A connection for checks and gauges alone, so that they neither wait for requests nor keep them waiting. */
export const openProbe = (url: string): ReturnType<typeof createPool> =>
  createPool(url, { max: 1, silenceMs: waitMs, connectMs: waitMs, statementMs: waitMs });

/** An error has the pool drop its connection, so that the next look goes to who takes writes after a failover. */
const writable = `DO $$ BEGIN
  IF current_setting('transaction_read_only')::bool THEN RAISE read_only_sql_transaction; END IF;
END $$`;

async function takesWrites(sql: Checked['sql']): Promise<void> {
  await sql.query(writable).catch((error: unknown) => {
    throw isReadOnly(error) ? new Unready('The database takes no writes.') : error;
  });
}

/** The four things that a process of the service needs. */
export const checksOf = ({
  sql,
  client,
  objects,
  threads,
  polling = () => null,
}: Checked): Readonly<Record<CheckName, Check>> => ({
  database: { words: 'The database', look: () => takesWrites(sql) },
  temporal: {
    words: 'Temporal',
    look: async () => {
      await client.withDeadline(Date.now() + waitMs, () =>
        client.workflowService.describeNamespace({ namespace: client.options.namespace }),
      );
      const reason = polling();
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
