import type { AddressInfo } from 'node:net';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createAccount } from '../../infra/records/accounts/accounts.ts';
import { makeLink } from '../../infra/records/accounts/links.ts';
import { setSignUpPolicy } from '../../infra/records/accounts/sign-up.ts';
import { startTestApi, type TestApi } from './api.ts';
import { passwordHash } from './password-hash.ts';

/** The service on a port of this machine, as a browser meets it. */
export interface PagesService {
  readonly api: TestApi;
  readonly origin: string;
  /** An account without a session, whose password is `long enough`. */
  account(email: string): Promise<string>;
  /** The address of a link that signs in once or sets a new password. */
  link(purpose: 'reset' | 'sign_in', accountId: string): Promise<string>;
  close(): Promise<void>;
}

type FitsOf = NonNullable<NonNullable<Parameters<typeof startTestApi>[1]>['jobs']>;

const pathOf = { reset: 'reset', sign_in: 'link' } as const;

/** `jobs`: how fits run; absent: a few candidates in this process. `parts`: other parts than those of tests. */
export async function startPagesService(
  jobs?: FitsOf,
  parts: Parameters<typeof startTestApi>[0] = {},
): Promise<PagesService> {
  const api = await startTestApi(parts, { inProcess: true, jobs });
  await setSignUpPolicy(api.database.pool, { mode: 'open' });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
  const { pool } = api.database;
  return {
    api,
    origin,
    async account(email) {
      const hash = await passwordHash();
      const made = { email, passwordHash: hash, acceptTerms: true, at: new Date() };
      return (await transaction(pool, (sql) => createAccount(sql, made))).id;
    },
    link: async (purpose, accountId) =>
      `${origin}/dashboard/${pathOf[purpose]}#token=${(await makeLink(pool, purpose, accountId)).token}`,
    close: () => api.close(),
  };
}
