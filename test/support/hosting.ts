import type { Pool } from 'pg';
import { nextDue } from '../../infra/contract/lifecycle.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createModel, newAccount } from './money.ts';

export const start = new Date('2026-01-31T10:20:30.400Z');
export const day = (days: number): Date => new Date(start.getTime() + days * 86_400_000);

/** Helpers for tests of hosting months, on the database of `pool`. */
export function hostingOn(pool: () => Pool) {
  const settle = async (id: string, at: Date) => await transaction(pool(), async (sql) => await settleDue(sql, id, at));
  const add = async (accountId: string, usd: number, at: Date) =>
    await transaction(
      pool(),
      async (sql) => await credit(sql, { accountId, amount: BigInt(usd) * 1_000_000n, source: 'operator', at }),
    );
  const spend = async (accountId: string, id: string, usd: number, at: Date) =>
    await transaction(
      pool(),
      async (sql) =>
        await charge(sql, {
          accountId,
          mode: 'live',
          modelId: id,
          kind: 'task_models.predict',
          windows: usd * 1000,
          at,
        }),
    );
  const months = async (id: string) =>
    (
      await pool().query(
        `SELECT period, starts_at, at FROM ledger_transactions
         WHERE model_id = $1 AND kind = 'task_models.hosting' ORDER BY period`,
        [id],
      )
    ).rows;

  /** Moves time forward: at each due instant it does the due work, like the workflow. */
  async function walk(id: string, until: Date): Promise<void> {
    for (;;) {
      const model = await readStored(pool(), id);
      const next = model && nextDue(model);
      if (!next || next.at > until) return;
      await settle(id, next.at);
    }
  }

  async function rich(mode: 'live' | 'test' = 'live') {
    const accountId = await newAccount(pool(), start);
    await add(accountId, 100, start);
    return { accountId, id: await createModel(pool(), accountId, start, mode) };
  }
  return { settle, add, spend, months, walk, rich };
}
