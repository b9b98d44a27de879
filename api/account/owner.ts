import { invalidField } from '../../infra/contract/invalid-request.ts';
import { findAccount, forgetAttempts, verifyPassword, type Attempt } from '../../infra/records/accounts/index.ts';
import type { ApiDeps } from '../deps.ts';
import { takeOrRefuse } from './http/limited.ts';
import type { Session } from './route.ts';

/**
 * Makes sure, before what cannot be undone, that who is signed in knows the password: throws INVALID_REQUEST that names
 * `field` for a wrong one, RATE_LIMITED after too many.
 */
export async function requireOwner(deps: ApiDeps, session: Session, password: string, field: string): Promise<void> {
  const attempt: Attempt = { kind: 'password-account', subject: session.accountId };
  await takeOrRefuse(deps, attempt, 'wrong passwords');
  const account = await findAccount(deps.pool, { id: session.accountId });
  if (!(await verifyPassword(password, account?.passwordHash ?? null)))
    throw invalidField(field, 'The password is wrong.');
  await forgetAttempts(deps.pool, attempt);
}
