import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { transaction } from '../../../infra/drivers/postgres/transaction.ts';
import { endLinks } from '../../../infra/records/accounts/links.ts';
import { endSessions } from '../../../infra/records/accounts/sessions.ts';
import { hashPassword, passwordFault } from '../../../infra/records/accounts/password.ts';
import { setPasswordHash } from '../../../infra/records/accounts/accounts.ts';
import { changePassword } from '../contract/requests.ts';
import { networkOf } from '../http/limited.ts';
import { requireOwner } from '../owner.ts';
import { accountRoute } from '../route.ts';
import { signInAs } from '../sign-in.ts';

export const passwordRoutes = [
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/password',
    body: changePassword,
    async handle(deps, session, input) {
      const { current, password } = input.body;
      const fault = passwordFault(password, session.email);
      if (fault !== null) throw invalidField('password', fault);
      const verified = await requireOwner(deps, session, input, { password: current, field: 'current' });
      const passwordHash = await hashPassword(password, session.email, networkOf(input.request));
      await transaction(deps.pool, async (sql) => {
        if (!(await setPasswordHash(sql, session.accountId, passwordHash, verified)))
          throw invalidField('current', 'The password was changed meanwhile.');
        await endSessions(sql, session.accountId);
        await endLinks(sql, session.accountId);
      });
      return await signInAs(deps, input, session.accountId, passwordHash);
    },
  }),
];
