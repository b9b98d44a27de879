import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { sqlState } from '../../drivers/postgres/errors.ts';
import { transaction, type Sql } from '../../drivers/postgres/transaction.ts';
import { countUnsound } from './row-invariants.ts';
import { contentOf, countOf, leavesOf, sealHash, sumsOf } from './seal-sql.ts';

/** Lock number, different from those of migrations and session defaults. */
const lockId = 7_351_202_613;
/** Most transactions of one seal, so that a difference is found in a small part of the ledger. */
const mostTransactions = 10_000;
const longestWaitMs = 30_000;
const pollMs = 20;

export interface Sealed {
  readonly seals: number;
  readonly transactions: number;
  /** Why not every ended transaction was sealed; null: all were sealed. */
  readonly left: 'another process seals' | 'a transaction takes long' | null;
}

/**
 * Seals every ledger transaction from before the call, without a lock that a charge could wait for. One process seals
 * at a time.
 */
export async function sealLedger(pool: pg.Pool): Promise<Sealed> {
  const origin = await originOf(pool);
  return await transaction(pool, async (sql) => {
    const { rows } = await sql.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [lockId]);
    if (!rows[0]!.taken) return { seals: 0, transactions: 0, left: 'another process seals' };
    const through = await endedThrough(sql);
    if (through === null) return { seals: 0, transactions: 0, left: 'a transaction takes long' };
    let seals = 0;
    let transactions = 0;
    for (;;) {
      const added = await addSeal(sql, through, origin);
      if (added === 0) return { seals, transactions, left: null };
      seals += 1;
      transactions += added;
    }
  });
}

/** Seals like `sealLedger`. If another process seals now, waits up to 30 s until it has ended, then seals the rest. */
export async function sealInTurn(pool: pg.Pool): Promise<Sealed> {
  for (const until = performance.now() + longestWaitMs; ; await sleep(pollMs)) {
    const sealed = await sealLedger(pool);
    if (sealed.left !== 'another process seals' || performance.now() > until) return sealed;
  }
}

/**
 * The newest id for which no running transaction can still write an id up to it. A transaction locks the table before
 * it draws an id. So it is enough to wait for the transactions that have the lock after the newest id was read.
 */
async function endedThrough(sql: Sql): Promise<bigint | null> {
  const { rows: sequence } = await sql.query<{ id: bigint }>(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS id FROM ledger_transactions_id_seq',
  );
  let writers = await writersOf(sql);
  for (const until = performance.now() + longestWaitMs; writers.size > 0; await sleep(pollMs)) {
    if (performance.now() > until) return null;
    const now = await writersOf(sql);
    writers = new Set([...writers].filter((writer) => now.has(writer)));
  }
  return sequence[0]!.id;
}

async function writersOf(sql: Sql): Promise<Set<string>> {
  const { rows } = await sql.query<{ writer: string }>(
    `SELECT virtualtransaction AS writer FROM pg_locks
     WHERE locktype = 'relation' AND relation = 'ledger_transactions'::regclass AND granted AND pid IS DISTINCT FROM pg_backend_pid()
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
  );
  return new Set(rows.map(({ writer }) => writer));
}

/**
 * Identity of the server and its timeline, which a restore or a failover changes. If Postgres does not report it, the
 * value never changes.
 */
async function originOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool
    .query<{ origin: string }>(
      `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
         left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)) AS origin`,
    )
    .catch((error: unknown) => {
      if (!hiddenFunctionStates.has(sqlState(error) ?? '')) throw error;
      return { rows: [] };
    });
  return rows[0]?.origin ?? 'unknown';
}

/** SQLSTATEs for missing or forbidden functions: some hosted servers hide them. */
const hiddenFunctionStates = new Set(['42501', '42883', '0A000']);

const range = { after: 'p.after_id', through: 'p.through_id' };

/** Adds the next row, up to the id `through`; returns how many transactions it covers. */
async function addSeal(sql: Sql, through: bigint, origin: string): Promise<number> {
  const { rows } = await sql.query<{ after: bigint; through: bigint }>(
    `SELECT l.after, least($1, coalesce((SELECT id FROM ledger_transactions WHERE id > l.after ORDER BY id
       OFFSET ${mostTransactions - 1} LIMIT 1), $1))::bigint AS through
     FROM (SELECT coalesce(max(through_id), 0) AS after FROM ledger_seals) AS l
     WHERE EXISTS (SELECT FROM ledger_transactions WHERE id > l.after AND id <= $1)`,
    [through],
  );
  const next = rows[0];
  if (!next) return 0;
  const unsound = await countUnsound(sql, next);
  const { rows: added } = await sql.query<{ transactions: number }>(
    `WITH s AS MATERIALIZED (
       SELECT coalesce(l.number, 0) + 1 AS number,
              coalesce(l.branch + (l.origin <> $3)::integer, 1) AS branch, $3::text AS origin, p.after_id, p.through_id,
              ${countOf(range)} AS transactions, $4::integer AS unsound, ${sumsOf(range)} AS sums,
              ${contentOf(range)} AS content,
              (SELECT string_agg(int8send(v.id) || v.leaf, ''::bytea ORDER BY v.id) FROM (${leavesOf(range)}) AS v)
                AS leaves,
              coalesce(l.hash, sha256('')) AS previous, clock_timestamp() AS sealed_at
       FROM (SELECT $1::bigint AS after_id, $2::bigint AS through_id) AS p
       LEFT JOIN (SELECT * FROM ledger_seals ORDER BY number DESC LIMIT 1) AS l ON true)
     INSERT INTO ledger_seals (number, branch, origin, after_id, through_id, transactions, unsound, sums, content, leaves,
                               previous, hash, sealed_at)
     SELECT number, branch, origin, after_id, through_id, transactions, unsound, sums, content, leaves, previous,
            ${sealHash}, sealed_at
     FROM s RETURNING transactions`,
    [next.after, next.through, origin, unsound],
  );
  return added[0]!.transactions;
}
