import { recordUsage } from '../../infra/records/admission/usage.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { release, reserve } from '../../infra/records/ledger/holds.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { insertCollecting } from '../../infra/records/task-models/models.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import type { TestDatabase } from './database.ts';
import { createModel, newAccount, newModel } from './money.ts';
import { keepMonthsAt } from './months.ts';

export const at = new Date('2026-05-14T12:00:00Z');
export const later = (days: number): Date => new Date(at.getTime() + days * 86_400_000);

/** Data for the forgeries. */
export interface Books {
  readonly account: string;
  readonly other: string;
  /** Charged for three months, then waived for one. */
  readonly model: string;
  readonly second: string;
  /** A prediction of each of the two models, the operator's credit, and an id without a row. */
  readonly prediction: bigint;
  readonly credit: bigint;
  readonly gap: bigint;
  /** The captured hold of the first model. */
  readonly hold: string;
}

/**
 * Two accounts with every kind of transaction, sealed in two parts; the last prediction is not sealed. The first part was
 * posted in May 2026, the rest in June.
 */
export async function sealedBooks({ pool, admin }: TestDatabase): Promise<Books> {
  await keepMonthsAt(admin, at);
  const account = await newAccount(pool, at);
  const other = await newAccount(pool, at);
  await transaction(pool, async (sql) => {
    await credit(sql, { accountId: account, amount: 20_000_000n, source: 'operator', at });
    await credit(sql, { accountId: other, amount: 1_000_000n, source: 'operator', at });
  });
  const model = await createModel(pool, account, at);
  const second = await createModel(pool, account, at);
  const deleted = await createModel(pool, account, at);
  const collecting = newModel(account, at);
  const predict = async (modelId: string, windows: number, when = at): Promise<void> =>
    await transaction(pool, async (sql) => {
      const kind = 'task_models.predict';
      await charge(sql, { accountId: account, mode: 'live', modelId, kind, windows, at: when });
      await recordUsage(sql, {
        accountId: account,
        keyId: 'k',
        mode: 'live',
        endpoint: kind,
        status: 200,
        code: 'ok',
        windows,
        microUsd: BigInt(windows) * 3_000n,
        requestId: `${modelId} ${windows}`,
        at: when,
      });
    });
  await predict(model, 40);
  await sealLedger(pool);
  await keepMonthsAt(admin, later(31));

  // An id that is drawn and never used, inside the next sealed range.
  await admin.query(`SELECT nextval('ledger_transactions_id_seq')`);
  await predict(second, 7);
  await transaction(pool, async (sql) => {
    await markDeleted(sql, account, deleted, later(10));
    await settleDue(sql, model, later(65));
    await settleDue(sql, second, later(65));
    // Deleted before its third month, which is given back.
    await markDeleted(sql, account, second, later(59));
    await insertCollecting(sql, collecting);
    await release(sql, await reserve(sql, { accountId: account, mode: 'live', modelId: collecting.id, at }), at);
    await reserve(sql, { accountId: account, mode: 'live', modelId: collecting.id, at });
  });
  await admin.query('UPDATE accounts SET suspended_at = $2 WHERE id = $1', [account, later(80)]);
  await transaction(pool, (sql) => settleDue(sql, model, later(90)));
  await sealLedger(pool);
  await predict(model, 5, later(91));

  const { rows } = await admin.query<Pick<Books, 'prediction' | 'credit' | 'gap' | 'hold'>>(
    `SELECT (SELECT id FROM ledger_transactions WHERE windows = 40) AS prediction,
       (SELECT id FROM ledger_transactions WHERE kind = 'credit.operator' AND account_id = $1) AS credit,
       (SELECT id - 1 FROM ledger_transactions WHERE windows = 7) AS gap,
       (SELECT id FROM holds WHERE model_id = $2) AS hold`,
    [account, model],
  );
  return { account, other, model, second, ...rows[0]! };
}
