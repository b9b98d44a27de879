import { nextDue } from '../../contract/lifecycle.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { renew } from './hosting.ts';
import { readStored } from './models.ts';
import type { StoredTaskModel } from './rows.ts';
import { markDeleted, markExpired } from './transitions.ts';

export interface SettledModel {
  /** The row afterwards; null: no such model. */
  readonly model: StoredTaskModel | null;
  /** Hosting months charged or waived. */
  readonly renewed: number;
  /** Of these, months of a live model that were charged. */
  readonly charged: number;
  readonly happened: readonly string[];
}

/**
 * Does all that is due at `at`, in the order it became due, in the caller's transaction: hosting months charged
 * (several, after a long standstill), an unpaid month tried again, expiry, deletion. Idempotent. Objects are deleted by
 * the caller, as `cleanup` names them.
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
