import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { terms } from '../../../infra/contract/terms.ts';
import { endSession, endSessions } from '../../../infra/records/accounts/sessions.ts';
import { recordAcceptance } from '../../../infra/records/accounts/terms.ts';
import { acceptTerms } from '../contract/requests.ts';
import { clearCookie } from '../http/cookie.ts';
import { requireToken } from '../http/session.ts';
import { meOf } from '../me.ts';
import { accountRoute } from '../route.ts';

/** The signed-in account, its terms, and sign-out. */
export const meRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/me',
    handle: (deps, { accountId }, { request }) => meOf(deps, accountId, requireToken(request)),
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/terms',
    body: acceptTerms,
    async handle(deps, { accountId, at }, { body, request }) {
      if (body.version !== terms.version)
        throw invalidField('version', `The terms of service are those of ${terms.version} now; read them again.`, [
          terms.version,
        ]);
      await recordAcceptance(deps.pool, accountId, body.version, at);
      return await meOf(deps, accountId, requireToken(request));
    },
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/sign-out',
    async handle({ pool }, { sessionId }, { request, reply }) {
      await endSession(pool, sessionId);
      clearCookie(request, reply);
      return { signed_out: 1 };
    },
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/sign-out-everywhere',
    async handle({ pool }, { accountId }, { request, reply }) {
      const ended = await endSessions(pool, accountId);
      clearCookie(request, reply);
      return { signed_out: ended };
    },
  }),
];
