import { affords, day, pay, prices, runningJob, spans, type Model, type State } from './state.ts';

/** Next charge of hosting; null: never again, or not yet. */
const chargedNext = ({ status, unpaidSince, retryAt, paidThrough, expiresAt }: Model): number | null => {
  if (status !== 'active') return null;
  if (unpaidSince !== null) return retryAt;
  return expiresAt !== null && expiresAt <= paidThrough! ? null : paidThrough;
};

/** When an active model ends by itself: at its expiry, or a week after an unpaid month began. */
const endOf = ({ expiresAt, unpaidSince }: Model): number =>
  Math.min(expiresAt ?? Infinity, unpaidSince === null ? Infinity : unpaidSince + spans.grace);

/** The visible status: due changes count as done, even if no worker has run. */
export function seen(model: Model, at: number): Model['status'] {
  const { status, collectUntil } = model;
  if (status === 'active' && endOf(model) <= at) return 'expired';
  if (status === 'collecting' && !runningJob(model) && collectUntil! <= at) return 'deleted';
  return status;
}

/** Pays one month: free while the account is suspended, else charged if the account has the credit. */
function cover(state: State, model: Model): boolean {
  if (!state.suspended) {
    if (!affords(state, prices.month, state.now)) return false;
    pay(state, prices.month, state.now);
    model.months += 1;
  }
  model.paidThrough! += spans.month;
  model.unpaidSince = null;
  model.retryAt = null;
  return true;
}

/** Pays every month that has begun and is unpaid. Returns false, and pays none, if the account lacks the credit. */
export function payDue(state: State, model: Model): boolean {
  const due = (): boolean => model.unpaidSince !== null || (chargedNext(model) ?? Infinity) <= state.now;
  while (due()) if (!cover(state, model)) return false;
  return true;
}

function leaveUnpaid(model: Model, now: number): void {
  const since = model.unpaidSince ?? model.paidThrough!;
  model.unpaidSince = since;
  model.retryAt = since + (Math.floor((now - since) / day) + 1) * day;
}

/** Covers one month or leaves it unpaid. */
function renew(state: State, model: Model): boolean {
  const paid = cover(state, model);
  if (!paid) leaveUnpaid(model, state.now);
  return paid;
}

/** What happens to a model by itself until now, in its order. */
export function settle(state: State, model: Model): void {
  const { now } = state;
  if (model.status === 'collecting' && seen(model, now) === 'deleted') model.status = 'deleted';
  for (let tried = false; model.status === 'active';) {
    const end = endOf(model);
    const next = chargedNext(model) ?? Infinity;
    if (end <= now && end <= next) {
      model.status = 'expired';
      Object.assign(model, { expiresAt: Math.min(model.expiresAt ?? Infinity, end), unpaidSince: null, retryAt: null });
    } else if (next <= now || (model.unpaidSince !== null && !tried)) {
      tried = !renew(state, model);
    } else return;
  }
}

/** After credit came or a cap was raised: one month each, the longest unpaid first. */
export function renewUnpaid(state: State): void {
  const unpaid = state.models.filter((each) => each.status === 'active' && each.unpaidSince !== null);
  for (const model of unpaid.sort((a, b) => a.unpaidSince! - b.unpaidSince!))
    if (endOf(model) > state.now) renew(state, model);
}
