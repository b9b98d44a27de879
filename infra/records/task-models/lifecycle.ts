import { limits } from '../../contract/limits.ts';
import type { Sql } from '../../drivers/postgres/index.ts';
import { renew } from './hosting.ts';
import { readStored } from './models.ts';
import type { StoredTaskModel } from './rows.ts';
import { markDeleted, markExpired } from './transitions.ts';

const day = 86_400_000;
const after = (instant: Date, days: number): Date => new Date(instant.getTime() + days * day);

export interface Due {
  readonly step: 'delete' | 'expire' | 'renew';
  readonly at: Date;
  /** For a reader of the Temporal UI. */
  readonly what: string;
}

type Rule = (model: StoredTaskModel) => Due | null;
const due = (step: Due['step'], at: Date | null, what: string): Due | null => (at ? { step, at, what } : null);

/** Everything that happens to a model by itself. At the same instant the earlier rule wins. */
const rules: readonly Rule[] = [
  (m) =>
    m.mode === 'test' && m.status !== 'deleted' && m.status !== 'fitting' && !m.fitPending
      ? due(
          'delete',
          after(m.createdAt, limits.testModelDays),
          `Deleted: a test model lives ${limits.testModelDays} days`,
        )
      : null,
  (m) =>
    m.status === 'collecting' && !m.fitPending
      ? due('delete', m.collectUntil, `Deleted unless fitted within ${limits.collectingDays} days`)
      : null,
  (m) => (m.status === 'active' ? due('expire', m.expiresAt, 'Expires') : null),
  (m) =>
    m.status === 'active' && m.unpaidSince
      ? due(
          'expire',
          after(m.unpaidSince, limits.unpaidGraceDays),
          `Expires: hosting unpaid for ${limits.unpaidGraceDays} days`,
        )
      : null,
  (m) =>
    m.status === 'active' && m.mode === 'live'
      ? due('renew', m.nextChargeAt, m.unpaidSince ? 'Hosting month charged again' : 'Next hosting month charged')
      : null,
];

/** What happens next to a model by itself, and when; null: nothing. */
export function nextDue(model: StoredTaskModel): Due | null {
  const all = rules.map((rule) => rule(model)).filter((step) => step !== null);
  return all.reduce<Due | null>((first, step) => (first === null || step.at < first.at ? step : first), null);
}

export interface SettledModel {
  /** The row afterwards; null: no such model. */
  readonly model: StoredTaskModel | null;
  /** Hosting months charged. */
  readonly renewed: number;
  readonly happened: readonly string[];
}

/**
 * Does all that is due at `at`, in the order it became due, in the caller's transaction: hosting months charged (several, after a long
 * standstill), an unpaid month tried again, expiry, deletion. Idempotent. Objects are deleted by the caller, as `cleanup` names them.
 */
export async function settleDue(sql: Sql, id: string, at: Date): Promise<SettledModel> {
  const happened: string[] = [];
  let renewed = 0;
  let tried = false;
  let model = await readStored(sql, id, true);
  while (model) {
    const next = nextDue(model);
    const again = model.status === 'active' && model.unpaidSince !== null && !tried;
    const ends = next !== null && next.at <= at && next.step !== 'renew';
    if (ends && next.step === 'delete') {
      await markDeleted(sql, model.accountId, id, next.at);
      happened.push(next.what);
    } else if (ends) {
      await markExpired(sql, id, next.at);
      happened.push(next.what);
    } else if (again || (next !== null && next.at <= at)) {
      const outcome = await renew(sql, model, at);
      tried = !outcome.paid;
      renewed += Number(outcome.paid);
      happened.push(outcome.what);
    } else {
      break;
    }
    model = await readStored(sql, id);
  }
  return { model, renewed, happened };
}
