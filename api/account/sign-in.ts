import { ApiError } from '../../infra/contract/errors.ts';
import { findAccount, setPasswordHash } from '../../infra/records/accounts/accounts.ts';
import { findSession, endSession, startSession } from '../../infra/records/accounts/sessions.ts';
import { forgetAttempts, uncountAttempt, type Attempt } from '../../infra/records/accounts/attempts.ts';
import { hashPassword, isOutdated, passwordFault, verifyPassword } from '../../infra/records/accounts/password.ts';
import type { ApiDeps } from '../deps.ts';
import type { Me } from './contract/responses.ts';
import { readCookie, setCookie } from './http/cookie.ts';
import { networkAttempts, networkOf, refundIfFailed, requireAttempts, requireAttempt } from './http/limited.ts';
import { signedOut } from './http/session.ts';
import { meOf } from './me.ts';
import type { RouteInput } from './route.ts';

type Browser = Pick<RouteInput<unknown>, 'request' | 'reply'>;

/**
 * Signs the browser in with a new session, and ends the session that it had. Throws UNAUTHENTICATED if the account was
 * closed in the meantime, or if its password hash is no longer `verified`.
 */
export async function signInAs(
  deps: ApiDeps,
  { request, reply }: Browser,
  accountId: string,
  verified: string | null = null,
): Promise<Me> {
  const session = await startSession(deps.pool, accountId, verified);
  if (!session) throw signedOut();
  const { token } = session;
  const before = readCookie(request);
  const old = before === null ? null : await findSession(deps.pool, before);
  if (old) await endSession(deps.pool, old.sessionId);
  setCookie(request, reply, token);
  return await meOf(deps, accountId, token);
}

/** Counts sign-ins to an e-mail address, from this network and from all networks. */
export const signInAttempts = (request: Browser['request'], email: string): readonly [Attempt, Attempt] => [
  { kind: 'sign-in-account', subject: `${networkOf(request)} ${email.trim()}` },
  { kind: 'sign-in-everywhere', subject: email.trim() },
];

const wrong = (): ApiError =>
  new ApiError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.', { field: 'password' });

/**
 * Returns the account of an e-mail address and its password, with the hash that matched the password. An address
 * without an account, an account without a password and a wrong password get the same answer after the same work. After
 * too many failed attempts none is checked.
 */
export async function checkPassword(
  { pool }: ApiDeps,
  { request }: Pick<Browser, 'request'>,
  { email, password }: { email: string; password: string },
): Promise<{ id: string; verified: string }> {
  const whose = networkOf(request);
  const works: Attempt = { kind: 'signed-in-address', subject: whose };
  const [here, everywhere] = signInAttempts(request, email);
  const fails = [...networkAttempts(request, 'sign-in'), here, everywhere];
  await requireAttempt(pool, works, 'sign-ins from this network');
  await refundIfFailed(pool, [works], () => requireAttempts(pool, fails, 'failed sign-ins'));
  const account = await findAccount(pool, { email });
  const hash = account?.passwordHash ?? null;
  const right = await refundIfFailed(pool, [works, ...fails], () => verifyPassword(password, hash, whose));
  if (!account || !right) {
    await uncountAttempt(pool, works);
    throw wrong();
  }
  for (const attempt of fails) if (attempt !== here) await uncountAttempt(pool, attempt);
  await forgetAttempts(pool, here);
  if (!isOutdated(hash!) || passwordFault(password, '') !== null) return { id: account.id, verified: hash! };
  const verified = await hashPassword(password, '', whose);
  if (!(await setPasswordHash(pool, account.id, verified, hash))) throw wrong();
  return { id: account.id, verified };
}
