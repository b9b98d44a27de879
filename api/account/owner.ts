import { invalidField } from '../../infra/contract/invalid-request.ts';
import { findAccount } from '../../infra/records/accounts/accounts.ts';
import { forgetAttempts, type Attempt } from '../../infra/records/accounts/attempts.ts';
import { verifyPassword } from '../../infra/records/accounts/password.ts';
import type { ApiDeps } from '../deps.ts';
import { networkOf, refundIfFailed, requireAttempt } from './http/limited.ts';
import type { Session, RouteInput } from './route.ts';

/**
 * Confirms the password of the signed-in user before an action that cannot be undone. Throws INVALID_REQUEST that names
 * `field` for a wrong password, RATE_LIMITED after too many. Returns the hash that matched the password.
 */
export async function requireOwner(
  { pool }: ApiDeps,
  session: Session,
  { request }: Pick<RouteInput<unknown>, 'request'>,
  { password, field }: { password: string; field: string },
): Promise<string> {
  const attempt: Attempt = { kind: 'password-account', subject: session.accountId };
  await requireAttempt(pool, attempt, 'wrong passwords');
  const account = await findAccount(pool, { id: session.accountId });
  const hash = account?.passwordHash ?? null;
  const verify = (): Promise<boolean> => verifyPassword(password, hash, networkOf(request));
  if (!(await refundIfFailed(pool, [attempt], verify))) throw invalidField(field, 'The password is wrong.');
  await forgetAttempts(pool, attempt);
  return hash!;
}
