import { nextDue } from '../../contract/lifecycle.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { renew } from './hosting.ts';
import { readStored } from './models.ts';
import type { StoredTaskModel } from './rows.ts';
import { markDeleted, markExpired } from './transitions.ts';

export interface SettledModel {
  /** The row after the changes; null: no such model. */
  readonly model: StoredTaskModel | null;
  /** Number of hosting months charged or waived. */
  readonly renewed: number;
  /** Number of these that were charged for a live-mode model. */
  readonly charged: number;
  readonly happened: readonly string[];
}

/**
 * Applies everything that is due at `at`, in order of due dates, in the caller's transaction: charges hosting months
 * (several after a long outage), tries an unpaid month again, expires or deletes the model. Idempotent. The caller then
 * deletes the objects that `cleanup` names.
 */
export async function settleDue(sql: Sql, id: string, at: Date): Promise<SettledModel> {
  const happened: string[] = [];
  let renewed = 0;
  let charged = 0;
  let tried = false;
  let model = await readStored(sql, id, true);
  while (model) {
    const next = nextDue(model);
    const again = model.status === 'active' && model.unpaidSince !== null && !tried;
    const ends = next !== null && next.at <= at && next.becomes !== 'charged';
    if (ends && next.becomes === 'deleted') {
      await markDeleted(sql, model.accountId, id, next.at);
      happened.push(next.what);
    } else if (ends) {
      await markExpired(sql, id, next.at);
      happened.push(next.what);
    } else if (again || (next !== null && next.at <= at)) {
      const { outcome, what } = await renew(sql, model, at);
      tried = outcome === 'unpaid';
      renewed += Number(!tried);
      charged += Number(outcome === 'charged' && model.mode === 'live');
      happened.push(what);
    } else {
      break;
    }
    model = await readStored(sql, id);
  }
  return { model, renewed, charged, happened };
}
