import { closeAccount as closeBody } from '../contract/requests.ts';
import { closeAccount, closingOf, requireAddress } from '../data/close-account.ts';
import { clearCookie } from '../http/cookie.ts';
import { requireOwner } from '../owner.ts';
import { accountRoute } from '../route.ts';

export const closeRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/close',
    handle: ({ pool }, session) => closingOf(pool, session),
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/close',
    body: closeBody,
    async handle(deps, session, { body, request, reply }) {
      requireAddress(session, body.email);
      const owner = { password: body.password, field: 'password' };
      const verified = await requireOwner(deps, session, { request }, owner);
      const closed = await closeAccount(deps, session, verified);
      clearCookie(request, reply);
      return closed;
    },
  }),
];
