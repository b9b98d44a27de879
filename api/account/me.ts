import { formatUsd } from '../../infra/contract/prices.ts';
import { terms } from '../../infra/contract/terms.ts';
import { findAccount } from '../../infra/records/accounts/accounts.ts';
import { lastAcceptance } from '../../infra/records/accounts/terms.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import type { ApiDeps } from '../deps.ts';
import type { Me } from './contract/responses.ts';
import { csrfToken } from './http/own-page.ts';
import { signedOut } from './http/session.ts';

/** The account's own data for its pages. */
export async function meOf(deps: ApiDeps, accountId: string, token: string): Promise<Me> {
  const account = await findAccount(deps.pool, { id: accountId });
  if (!account) throw signedOut();
  const [accepted, { available, held }] = await Promise.all([
    lastAcceptance(deps.pool, accountId),
    balance(deps.pool, accountId),
  ]);
  return {
    account_id: account.id,
    email: account.email,
    created: account.createdAt.toISOString(),
    csrf: csrfToken(deps, token),
    terms: {
      current: terms.version,
      accepted: accepted?.version ?? null,
      accepted_at: accepted?.at.toISOString() ?? null,
    },
    credit_waits: account.creditWaitsSince !== null,
    suspended_since: account.suspendedAt?.toISOString() ?? null,
    balance_usd: formatUsd(available),
    held_usd: formatUsd(held),
  };
}
