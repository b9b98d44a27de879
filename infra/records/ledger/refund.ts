import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { post } from './post.ts';
import { readWallet } from './wallet.ts';

interface Month {
  readonly period: number;
  readonly startsAt: Date;
  readonly unitPrice: MicroUsd;
  readonly at: Date;
}

/** Charged hosting months without a refund. The table's alias is `t`. */
export const keptMonth = `t.kind = 'task_models.hosting' AND NOT EXISTS (
  SELECT FROM ledger_transactions r
  WHERE r.model_id = t.model_id AND r.kind = 'task_models.hosting_refund' AND r.period = t.period)`;

/**
 * Refunds the hosting months of a model that begin at or after `from`, in the caller's transaction: they were charged
 * while the model was about to end. Each refund has the month's own price and the date of its charge. Returns the start
 * of the first refunded month; null: there is none.
 */
export async function refundHosting(sql: Sql, accountId: string, modelId: string, from: Date): Promise<Date | null> {
  const { rows } = await sql.query<Month>(
    `SELECT t.period, t.starts_at AS "startsAt", t.unit_price AS "unitPrice", t.at FROM ledger_transactions t
     WHERE t.model_id = $1 AND t.period > 1 AND t.starts_at >= $2 AND ${keptMonth} ORDER BY t.period`,
    [modelId, from],
  );
  if (rows.length === 0) return null;
  await readWallet(sql, accountId, true);
  for (const { period, unitPrice, at } of rows)
    await post(sql, {
      accountId,
      modelId,
      kind: 'task_models.hosting_refund',
      period,
      unitPrice,
      amount: unitPrice,
      at,
    });
  return rows[0]!.startsAt;
}
