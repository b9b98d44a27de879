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
import { networkAttempts, networkOf, orGiveBack, takeEach } from '../http/limited.ts';
import { doorRoute, type Visit } from '../route.ts';
import { checkPassword, signInAs, signInAttempts } from '../sign-in.ts';
import { signUpAccount } from '../sign-up.ts';

const noSuchLink = () =>
  invalidField('token', 'The link was used already, or has expired; ask the operator for a new one.');

/** Runs what uses a link, with an attempt of the caller's network that is given back where the link worked. */
async function withLink<T>(deps: ApiDeps, { request }: Visit<unknown>, work: () => Promise<T>): Promise<T> {
  const attempts = networkAttempts(request, 'link');
  await takeEach(deps.pool, attempts, 'links that did not work');
  const done = await work();
  for (const attempt of attempts) await uncountAttempt(deps.pool, attempt);
  return done;
}

/** Sets the password and ends every session and link of the account; the link is used up with it, or not at all. */
async function resetWith(
  deps: ApiDeps,
  request: Visit<unknown>['request'],
  { token, password }: { token: string; password: string },
): Promise<string> {
  const fault = passwordFault(password, '');
  if (fault !== null) throw invalidField('password', fault);
  const passwordHash = await orGiveBack(deps.pool, networkAttempts(request, 'link'), () =>
    hashPassword(password, '', networkOf(request)),
  );
  return await transaction(deps.pool, async (sql) => {
    const accountId = await takeLink(sql, 'reset', token);
    const account = accountId === null ? null : await findAccount(sql, { id: accountId });
    if (!account) throw noSuchLink();
    const known = passwordFault(password, account.email);
    if (known !== null) throw invalidField('password', known);
    if (!(await setPasswordHash(sql, account.id, passwordHash))) throw noSuchLink();
    await endSessions(sql, account.id);
    await endLinks(sql, account.id);
    for (const attempt of signInAttempts(request, account.email)) await forgetAttempts(sql, attempt);
    return account.id;
  });
}

/** What anybody may call, before signing in. */
export const doorRoutes = [
  doorRoute({
    signedIn: false,
    method: 'get',
    path: '/door',
    async handle({ pool }): Promise<Door> {
      const [{ mode }, { serving, message }] = await Promise.all([readSignUpPolicy(pool), readServing(pool)]);
      return { sign_up: mode, terms, serving, message };
    },
  }),
  doorRoute({
    signedIn: false,
    method: 'post',
    path: '/sign-up',
    body: signUp,
    async handle(deps, visit) {
      const id = await signUpAccount(deps, visit);
      return await signInAs(deps, visit, id);
    },
  }),
  doorRoute({
    signedIn: false,
    method: 'post',
    path: '/sign-in',
    body: signIn,
    async handle(deps, visit) {
      const account = await checkPassword(deps, visit, visit.body);
      return await signInAs(deps, visit, account.id, account.verified);
    },
  }),
  doorRoute({
    signedIn: false,
    method: 'post',
    path: '/reset',
    body: resetPassword,
    async handle(deps, visit) {
      const accountId = await withLink(deps, visit, () => resetWith(deps, visit.request, visit.body));
      return await signInAs(deps, visit, accountId);
    },
  }),
  doorRoute({
    signedIn: false,
    method: 'post',
    path: '/link',
    body: useLink,
    async handle(deps, visit) {
      const accountId = await withLink(deps, visit, async () => {
        const found = await takeLink(deps.pool, 'sign_in', visit.body.token);
        if (found === null) throw noSuchLink();
        return found;
      });
      return await signInAs(deps, visit, accountId);
    },
  }),
];
