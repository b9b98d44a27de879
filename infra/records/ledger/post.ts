import type { ChargeKind, TransactionKind } from '../../contract/ledger-kinds.ts';
import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

export type LedgerAccount = 'wallet' | 'held' | 'source.free' | 'source.operator' | `revenue.${ChargeKind}`;

export interface Posting {
  readonly accountId: string;
  readonly kind: TransactionKind;
  readonly amount: MicroUsd;
  readonly at: Date;
  /** Account that a charge is taken from: the wallet, or the held credit. */
  readonly from?: 'wallet' | 'held';
  readonly modelId?: string;
  readonly holdId?: string;
  readonly period?: number;
  readonly startsAt?: Date;
  readonly endsAt?: Date;
  readonly windows?: number;
  /**
   * Price of one unit: one window, one create fee, one hosting month; of the free credit its amount. Required for these
   * kinds.
   */
  readonly unitPrice?: MicroUsd;
  readonly note?: string;
}

/** Source and destination of the money for each kind of transaction. */
export const routes: Readonly<Record<TransactionKind, { readonly from: LedgerAccount; readonly to: LedgerAccount }>> = {
  'credit.free': { from: 'source.free', to: 'wallet' },
  'credit.operator': { from: 'source.operator', to: 'wallet' },
  'hold.reserve': { from: 'wallet', to: 'held' },
  'hold.release': { from: 'held', to: 'wallet' },
  'task_models.create_fee': { from: 'held', to: 'revenue.task_models.create_fee' },
  'task_models.hosting': { from: 'wallet', to: 'revenue.task_models.hosting' },
  'task_models.hosting_refund': { from: 'revenue.task_models.hosting', to: 'wallet' },
  'task_models.predict': { from: 'wallet', to: 'revenue.task_models.predict' },
};

/** Adds one balanced transaction. Triggers update the cached sums; a check constraint refuses to overdraw a wallet. */
export async function post(sql: Sql, posting: Posting): Promise<void> {
  const route = routes[posting.kind];
  await sql.query(
    `WITH added AS (
       INSERT INTO ledger_transactions (account_id, kind, model_id, hold_id, period, starts_at, ends_at, windows, unit_price, note, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id, account_id)
     INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
     SELECT added.id, added.account_id, entry.account, entry.amount
     FROM added, (VALUES ($12, -$14::bigint), ($13, $14::bigint)) AS entry (account, amount)`,
    [
      posting.accountId,
      posting.kind,
      posting.modelId ?? null,
      posting.holdId ?? null,
      posting.period ?? null,
      posting.startsAt ?? null,
      posting.endsAt ?? null,
      posting.windows ?? null,
      posting.unitPrice ?? null,
      posting.note ?? null,
      posting.at,
      posting.from ?? route.from,
      route.to,
      posting.amount,
    ],
  );
}
