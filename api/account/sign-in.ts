import { ApiError } from '../../infra/contract/errors.ts';
import {
  findAccount,
  findSession,
  endSession,
  forgetAttempts,
  giveBackAttempt,
  hashPassword,
  isOutdated,
  passwordFault,
  setPasswordHash,
  startSession,
  verifyPassword,
  type Account,
  type Attempt,
} from '../../infra/records/accounts/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Me } from './contract/answers.ts';
import { readCookie, setCookie } from './http/cookie.ts';
import { networkOf, takeOrRefuse } from './http/limited.ts';
import { meOf } from './me.ts';
import type { Visit } from './route.ts';

type Browser = Pick<Visit<unknown>, 'request' | 'reply'>;

/** Signs the browser in: always a session of its own, whatever the browser brought; that one ends. */
export async function signInAs(deps: ApiDeps, { request, reply }: Browser, accountId: string): Promise<Me> {
  const before = readCookie(request);
  const old = before === null ? null : await findSession(deps.pool, before);
  if (old) await endSession(deps.pool, old.sessionId);
  const { token } = await startSession(deps.pool, accountId);
  setCookie(request, reply, token);
  return await meOf(deps, accountId, token);
}

/** The attempts that a sign-in with an e-mail address counts against. */
export const signInAttempt = (email: string): Attempt => ({ kind: 'sign-in-account', subject: email.trim() });

/**
 * The account of an e-mail address and its password. One answer, after the same work, for an address without an
 * account, an account without a password and a wrong password; while too many attempts failed, none is looked at.
 */
export async function checkPassword(
  deps: ApiDeps,
  { request }: Pick<Browser, 'request'>,
  { email, password }: { email: string; password: string },
): Promise<Account> {
  const attempts: readonly Attempt[] = [{ kind: 'sign-in-address', subject: networkOf(request) }, signInAttempt(email)];
  for (const attempt of attempts) await takeOrRefuse(deps, attempt, 'failed sign-ins');
  const account = await findAccount(deps.pool, { email });
  const right = await verifyPassword(password, account?.passwordHash ?? null);
  if (!account || !right)
    throw new ApiError('UNAUTHENTICATED', 'The e-mail address or the password is wrong.', { field: 'password' });
  await giveBackAttempt(deps.pool, attempts[0]!);
  await forgetAttempts(deps.pool, attempts[1]!);
  if (isOutdated(account.passwordHash!) && passwordFault(password, '') === null)
    await setPasswordHash(deps.pool, account.id, await hashPassword(password));
  return account;
}
