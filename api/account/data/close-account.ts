import { ApiError } from '../../../infra/contract/errors.ts';
import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { formatUsd } from '../../../infra/contract/prices.ts';
import { transaction, type Sql } from '../../../infra/drivers/postgres/transaction.ts';
import {
  closingState,
  markClosed,
  reapClosedAccounts,
  type ClosingState,
} from '../../../infra/records/accounts/close.ts';
import { balance } from '../../../infra/records/ledger/wallet.ts';
import { markDeleted } from '../../../infra/records/task-models/transitions.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Closed, Closing } from '../contract/responses.ts';
import type { Session } from '../route.ts';

/** Data that closing does not delete, and why. */
const kept = [
  'Ledger lines, with ids and amounts: the books must stay whole.',
  'Dates of the account, and when which terms of service were accepted: to show what was agreed.',
  'Ids, dates and methods of deleted models, ids of revoked keys, and counts of requests by day: the ledger refers ' +
    'to them.',
  'A keyed hash of the e-mail address: it can sign up again, without another free credit by itself.',
] as const;

const unspentWords = (usd: string): string =>
  usd === '0.00'
    ? 'There is no unspent credit.'
    : `$${usd} of credit are unspent. They are not returned by themselves: the operator returns paid credit on ` +
      'request (name the account id), and the ledger keeps the amount until then. Free credit is not paid out.';

/** Why an account cannot be closed now, and what to do; empty: it can be closed. */
function reasonsOf({ fits, openHolds }: Pick<ClosingState, 'fits' | 'openHolds'>): string[] {
  const running =
    `${fits} ${fits === 1 ? 'fit is' : 'fits are'} running: wait until they end (see the running jobs), or delete a ` +
    'collecting model that is being fitted, then close the account.';
  const held =
    `Credit is held for ${openHolds} ${openHolds === 1 ? 'create' : 'creates'} in progress: wait until it is charged ` +
    'or released, which takes 20 minutes at most, then close the account.';
  if (fits > 0) return [running];
  return openHolds > 0 ? [held] : [];
}

/** The effect of closing the account now. */
export async function closingOf(sql: Sql, { accountId, at }: Session): Promise<Closing> {
  const state = await closingState(sql, accountId, at);
  const unspent = formatUsd((await balance(sql, accountId)).available);
  return {
    account_id: accountId,
    possible: reasonsOf(state).length === 0,
    reasons: reasonsOf(state),
    models: state.models.length,
    keys: state.keys,
    unspent_usd: unspent,
    unspent: unspentWords(unspent),
    kept: [...kept],
  };
}

/** Throws unless the given address is that of the account: the user types it to confirm. */
export function requireAddress({ email }: Session, typed: string): void {
  if (typed.trim().toLowerCase() !== email.toLowerCase())
    throw invalidField('email', 'This is not the e-mail address of the account that is signed in.');
}

/**
 * Closes the account of a session: revokes keys, deletes models as DELETE does, ends sessions, and removes address and
 * password. The caller has checked the password against the hash `verified`. Throws CONFLICT while a fit runs or credit
 * is reserved.
 */
export async function closeAccount(deps: ApiDeps, session: Session, verified: string): Promise<Closed> {
  const { accountId, at } = session;
  const { models, ...closed } = await transaction(deps.pool, async (sql) => {
    const { keys } = await closingState(sql, accountId, at);
    if (!(await markClosed(sql, accountId, at, verified)))
      throw new ApiError('NOT_FOUND', 'The account is closed already, or its password was changed meanwhile.', {
        field: 'email',
      });
    const state = await closingState(sql, accountId, at);
    const reasons = reasonsOf(state);
    if (reasons.length > 0)
      throw new ApiError('CONFLICT', `The account was not closed. ${reasons.join(' ')}`, {
        retryAfterSeconds: 60,
      });
    for (const id of state.models) await markDeleted(sql, accountId, id, at);
    return { models: state.models, keys, unspent: formatUsd((await balance(sql, accountId)).available) };
  });
  for (const id of models) await deps.jobs.refresh(id);
  await reapClosedAccounts(deps.pool, at).catch((error: unknown) =>
    deps.log.error('What a closed account leaves was not all removed; the sweep removes it.', {
      account: accountId,
      error,
    }),
  );
  return {
    account_id: accountId,
    closed_at: at.toISOString(),
    models_deleted: models.length,
    keys_revoked: closed.keys,
    unspent_usd: closed.unspent,
    unspent: unspentWords(closed.unspent),
    kept: [...kept],
  };
}
