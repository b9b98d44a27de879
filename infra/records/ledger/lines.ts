import type { MicroUsd } from '../../contract/prices.ts';
import { prepared } from '../../drivers/postgres/prepared.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { visibleAt } from '../task-models/lifecycle-sql.ts';
import type { TransactionKind } from '../../contract/ledger-kinds.ts';

/** One transaction of an account as its owner sees it. */
export interface LedgerLine {
  /** Number of the line in the account, from 1: ids of the ledger would reveal the activity of other accounts. */
  readonly line: number;
  /** A refund of a hosting month has the date of its charge. */
  readonly at: Date;
  readonly kind: TransactionKind;
  readonly modelId: string | null;
  /** Name of a model that exists. Nothing that its owner wrote is kept of an ended model. */
  readonly modelName: string | null;
  readonly windows: bigint | null;
  readonly note: string | null;
  /** Change of the available balance: 0 for a charge that is paid from a hold. */
  readonly amount: MicroUsd;
  /** Charged amount, from the balance or from a hold; negative for refunds. */
  readonly charged: MicroUsd;
  /** The available balance after this line: the sum of it and all lines before it. */
  readonly balance: MicroUsd;
}

/** Columns of a line without its balance; the transaction's alias is `t`, its wallet's entry `w`. */
const lineColumns = `
  t.at, t.kind, t.model_id AS "modelId",
  (SELECT m.name FROM task_models m
   WHERE m.id = t.model_id AND m.account_id = t.account_id AND ${visibleAt('clock_timestamp()')}) AS "modelName",
  t.windows, t.note, coalesce(w.amount, 0)::bigint AS amount,
  coalesce((SELECT sum(r.amount) FROM ledger_entries r
            WHERE r.transaction_id = t.id AND r.ledger_account LIKE 'revenue.%'), 0)::bigint AS charged`;

const ownEntry = `LEFT JOIN ledger_entries w
  ON w.transaction_id = t.id AND w.account_id = t.account_id AND w.ledger_account = 'wallet'`;

/** A page of account $1: $3 lines below line $2. */
const pageOf = `
  WITH wallet AS (SELECT balance, held FROM wallets WHERE account_id = $1),
   counted AS (SELECT count(*) AS n FROM ledger_transactions WHERE account_id = $1),
   skipped AS (SELECT CASE WHEN $2::bigint <= n THEN n - $2 + 1 ELSE 0 END AS n FROM counted),
   places AS (
     SELECT id FROM ledger_transactions WHERE account_id = $1
     ORDER BY id DESC OFFSET (SELECT n FROM skipped) LIMIT $3),
   page AS (SELECT ${lineColumns}, t.id FROM places JOIN ledger_transactions t USING (id) ${ownEntry}),
   above AS (
     SELECT coalesce(sum(e.amount), 0) AS amount FROM ledger_entries e
     WHERE e.account_id = $1 AND e.ledger_account = 'wallet' AND e.transaction_id > (SELECT max(id) FROM places))
   SELECT (counted.n - skipped.n - row_number() OVER newest + 1)::int AS line, p.at, p.kind, p."modelId",
          p."modelName", p.windows, p.note, p.amount, p.charged,
          (wallet.balance - above.amount - coalesce(sum(p.amount) OVER newer, 0))::bigint AS balance,
          wallet.balance AS available, wallet.held AS all_held
   FROM wallet CROSS JOIN counted CROSS JOIN skipped CROSS JOIN above LEFT JOIN page p ON true
   WINDOW newest AS (ORDER BY p.id DESC),
          newer AS (ORDER BY p.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
   ORDER BY p.id DESC`;

/**
 * Lines of an account, newest first, below the line `before`, or from the top if that is null or unknown. The available
 * and held amounts belong to the same instant. `more`: there are further lines.
 */
export async function ledgerPage(
  sql: Sql,
  accountId: string,
  { limit, before }: { limit: number; before: number | null },
): Promise<{ lines: readonly LedgerLine[]; more: boolean; available: MicroUsd; held: MicroUsd }> {
  // Planning reads the catalog of every partition, so the plan is kept.
  const { rows } = await prepared<LedgerLine & { available: MicroUsd; all_held: MicroUsd }>(sql, pageOf, [
    accountId,
    before,
    limit + 1,
  ]);
  if (rows.length === 0) throw new Error(`Account ${accountId} has no wallet.`);
  const lines = rows.filter(({ kind }) => kind !== null);
  return {
    lines: lines.slice(0, limit).map(({ available: _available, all_held: _held, ...line }) => line),
    more: lines.length > limit,
    available: rows[0]!.available,
    held: rows[0]!.all_held,
  };
}

/** Lines per statement when all lines are read. */
const chunk = 1_000;

/** All current lines of an account, oldest first, one chunk at a time. */
export async function* ledgerHistory(sql: Sql, accountId: string): AsyncGenerator<readonly LedgerLine[]> {
  const {
    rows: [newest],
  } = await sql.query<{ id: bigint | null }>('SELECT max(id) AS id FROM ledger_transactions WHERE account_id = $1', [
    accountId,
  ]);
  const last = newest!.id ?? 0n;
  let balance = 0n;
  let line = 0;
  for (let after = 0n; after < last;) {
    const { rows } = await sql.query<Omit<LedgerLine, 'balance' | 'line'> & { id: bigint }>(
      `SELECT ${lineColumns}, t.id FROM ledger_transactions t ${ownEntry}
       WHERE t.account_id = $1 AND t.id > $2 AND t.id <= $3 ORDER BY t.id LIMIT ${chunk}`,
      [accountId, after, last],
    );
    if (rows.length === 0) return;
    yield rows.map(({ id: _id, ...row }) => ({ ...row, line: (line += 1), balance: (balance += row.amount) }));
    after = rows.at(-1)!.id;
  }
}
