import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { terms } from '../../../infra/contract/terms.ts';
import { transaction } from '../../../infra/drivers/postgres/transaction.ts';
import { endLinks, takeLink } from '../../../infra/records/accounts/links.ts';
import { endSessions } from '../../../infra/records/accounts/sessions.ts';
import { findAccount, setPasswordHash } from '../../../infra/records/accounts/accounts.ts';
import { forgetAttempts, uncountAttempt } from '../../../infra/records/accounts/attempts.ts';
import { hashPassword, passwordFault } from '../../../infra/records/accounts/password.ts';
import { readSignUpPolicy } from '../../../infra/records/accounts/sign-up.ts';
import { readServing } from '../../../infra/records/admission/serving.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Door } from '../contract/responses.ts';
import { resetPassword, signIn, signUp, useLink } from '../contract/requests.ts';
import { networkAttempts, networkOf, refundIfFailed, requireAttempts } from '../http/limited.ts';
import { anonymousRoute, type RouteInput } from '../route.ts';
import { checkPassword, signInAs, signInAttempts } from '../sign-in.ts';
import { signUpAccount } from '../sign-up.ts';

const noSuchLink = () =>
  invalidField('token', 'The link was used already, or has expired; ask the operator for a new one.');

/** Uses a link. Takes an attempt of the caller's network, and gives it back if the link is valid. */
async function withLink<T>(deps: ApiDeps, { request }: RouteInput<unknown>, work: () => Promise<T>): Promise<T> {
  const attempts = networkAttempts(request, 'link');
  await requireAttempts(deps.pool, attempts, 'links that did not work');
  const done = await work();
  for (const attempt of attempts) await uncountAttempt(deps.pool, attempt);
  return done;
}

/** Sets the password, and ends every session and link of the account, in the transaction that uses the link up. */
async function resetWith(
  deps: ApiDeps,
  request: RouteInput<unknown>['request'],
  { token, password }: { token: string; password: string },
): Promise<string> {
  const fault = passwordFault(password, '');
  if (fault !== null) throw invalidField('password', fault);
  const passwordHash = await refundIfFailed(deps.pool, networkAttempts(request, 'link'), () =>
    hashPassword(password, '', networkOf(request)),
  );
  return await transaction(deps.pool, async (sql) => {
    const accountId = await takeLink(sql, 'reset', token);
    const account = accountId === null ? null : await findAccount(sql, { id: accountId });
    if (!account) throw noSuchLink();
    const fault = passwordFault(password, account.email);
    if (fault !== null) throw invalidField('password', fault);
    if (!(await setPasswordHash(sql, account.id, passwordHash))) throw noSuchLink();
    await endSessions(sql, account.id);
    await endLinks(sql, account.id);
    for (const attempt of signInAttempts(request, account.email)) await forgetAttempts(sql, attempt);
    return account.id;
  });
}

/** Routes that work without sign-in. */
export const doorRoutes = [
  anonymousRoute({
    signedIn: false,
    method: 'get',
    path: '/door',
    async handle({ pool }): Promise<Door> {
      const [{ mode }, { serving, message }] = await Promise.all([readSignUpPolicy(pool), readServing(pool)]);
      return { sign_up: mode, terms, serving, message };
    },
  }),
  anonymousRoute({
    signedIn: false,
    method: 'post',
    path: '/sign-up',
    body: signUp,
    async handle(deps, input) {
      const id = await signUpAccount(deps, input);
      return await signInAs(deps, input, id);
    },
  }),
  anonymousRoute({
    signedIn: false,
    method: 'post',
    path: '/sign-in',
    body: signIn,
    async handle(deps, input) {
      const account = await checkPassword(deps, input, input.body);
      return await signInAs(deps, input, account.id, account.verified);
    },
  }),
  anonymousRoute({
    signedIn: false,
    method: 'post',
    path: '/reset',
    body: resetPassword,
    async handle(deps, input) {
      const accountId = await withLink(deps, input, () => resetWith(deps, input.request, input.body));
      return await signInAs(deps, input, accountId);
    },
  }),
  anonymousRoute({
    signedIn: false,
    method: 'post',
    path: '/link',
    body: useLink,
    async handle(deps, input) {
      const accountId = await withLink(deps, input, async () => {
        const found = await takeLink(deps.pool, 'sign_in', input.body.token);
        if (found === null) throw noSuchLink();
        return found;
      });
      return await signInAs(deps, input, accountId);
    },
  }),
];
