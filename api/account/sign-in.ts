import { ApiError } from '../../infra/contract/errors.ts';
import { findAccount, setPasswordHash } from '../../infra/records/accounts/accounts.ts';
import { findSession, endSession, startSession } from '../../infra/records/accounts/sessions.ts';
import { forgetAttempts, uncountAttempt, type Attempt } from '../../infra/records/accounts/attempts.ts';
import { hashPassword, isOutdated, passwordFault, verifyPassword } from '../../infra/records/accounts/password.ts';
import type { ApiDeps } from '../deps.ts';
import type { Me } from './contract/responses.ts';
import { readCookie, setCookie } from './http/cookie.ts';
import { networkAttempts, networkOf, orGiveBack, takeEach, takeOrRefuse } from './http/limited.ts';
import { signedOut } from './http/session.ts';
import { meOf } from './me.ts';
import type { Visit } from './route.ts';

type Browser = Pick<Visit<unknown>, 'request' | 'reply'>;

/**
 * Signs the browser in: always a session of its own, whatever the browser brought; that one ends. UNAUTHENTICATED where
 * the account was closed meanwhile, or has another password than the hash that was `verified`.
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

/** Sign-ins with an e-mail address, from this network and from all. */
export const signInAttempts = (request: Browser['request'], email: string): readonly [Attempt, Attempt] => [
  { kind: 'sign-in-account', subject: `${networkOf(request)} ${email.trim()}` },
  { kind: 'sign-in-everywhere', subject: email.trim() },
];

const wrong = (): ApiError =>
  new ApiError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.', { field: 'password' });

/**
 * The account of an e-mail address and its password, with the hash that the password was right for. One answer, after
 * the same work, for an address without an account, an account without a password and a wrong password; while too many
 * attempts failed, none is looked at.
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
  await takeOrRefuse(pool, works, 'sign-ins from this network');
  await orGiveBack(pool, [works], () => takeEach(pool, fails, 'failed sign-ins'));
  const account = await findAccount(pool, { email });
  const hash = account?.passwordHash ?? null;
  const right = await orGiveBack(pool, [works, ...fails], () => verifyPassword(password, hash, whose));
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
