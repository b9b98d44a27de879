import type { MicroUsd } from '../../contract/prices.ts';
import { prepared } from '../../drivers/postgres/prepared.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { visibleAt } from '../task-models/lifecycle-sql.ts';
import type { TransactionKind } from '../../contract/ledger-kinds.ts';

/** One transaction of an account as its owner sees it. */
export interface LedgerLine {
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

/** Where a page begins: the lines below an id of the ledger, and the balance after the newest of them. */
export interface LedgerPlace {
  readonly id: bigint;
  readonly balance: MicroUsd;
}

/** A page of account $1: $4 lines below id $2, the newest with the balance $3. Null for both: from the top. */
const pageOf = `
  WITH wallet AS (SELECT balance, held FROM wallets WHERE account_id = $1),
   places AS (
     SELECT id FROM ledger_transactions WHERE account_id = $1 AND id < coalesce($2::bigint, 9223372036854775807)
     ORDER BY id DESC LIMIT $4),
   page AS (SELECT ${lineColumns}, t.id FROM places JOIN ledger_transactions t USING (id) ${ownEntry})
   SELECT p.id, p.at, p.kind, p."modelId", p."modelName", p.windows, p.note, p.amount, p.charged,
          (coalesce($3::bigint, wallet.balance) - coalesce(sum(p.amount) OVER newer, 0))::bigint AS balance,
          wallet.balance AS available, wallet.held AS all_held
   FROM wallet LEFT JOIN page p ON true
   WINDOW newer AS (ORDER BY p.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
   ORDER BY p.id DESC`;

type PageRow = LedgerLine & { readonly id: bigint; readonly available: MicroUsd; readonly all_held: MicroUsd };

/**
 * Lines of an account, newest first, from `before` on, or from the top if that is null. Reads the lines of the page
 * only, however many there are. The available and held amounts belong to the same instant. `next`: where the next page
 * begins; null: there are no further lines.
 */
export async function ledgerPage(
  sql: Sql,
  accountId: string,
  { limit, before }: { limit: number; before: LedgerPlace | null },
): Promise<{ lines: readonly LedgerLine[]; next: LedgerPlace | null; available: MicroUsd; held: MicroUsd }> {
  // Planning reads the catalog of every partition, so the plan is kept.
  const values = [accountId, before?.id ?? null, before?.balance ?? null, limit + 1];
  const { rows } = await prepared<PageRow>(sql, pageOf, values);
  if (rows.length === 0) throw new Error(`Account ${accountId} has no wallet.`);
  const [{ available, all_held: held }] = rows;
  const found = rows.filter(({ kind }) => kind !== null);
  const shown = found.slice(0, limit);
  return {
    lines: shown.map(({ id: _id, available: _available, all_held: _held, ...line }) => line),
    next: found.length > limit ? { id: shown.at(-1)!.id, balance: found[limit]!.balance } : null,
    available,
    held,
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
  for (let after = 0n; after < last;) {
    const { rows } = await sql.query<Omit<LedgerLine, 'balance'> & { id: bigint }>(
      `SELECT ${lineColumns}, t.id FROM ledger_transactions t ${ownEntry}
       WHERE t.account_id = $1 AND t.id > $2 AND t.id <= $3 ORDER BY t.id LIMIT ${chunk}`,
      [accountId, after, last],
    );
    if (rows.length === 0) return;
    yield rows.map(({ id: _id, ...row }) => ({ ...row, balance: (balance += row.amount) }));
    after = rows.at(-1)!.id;
  }
}
