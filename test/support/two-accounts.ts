import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createAccount, setLimits } from '../../infra/records/accounts/accounts.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { expect } from 'vitest';
import type { TestApi } from './api.ts';
import { createBrowser, type Browser } from './browser.ts';
import { passwordHash } from './password-hash.ts';

/** The password of `passwordHash`. */
export const password = 'long enough';

/** An account with a browser that is signed in, and a key. */
export interface SignedIn {
  readonly accountId: string;
  readonly email: string;
  readonly browser: Browser;
  readonly key: string;
  readonly keyId: string;
}

/** An account named after its owner, signed in, with a live key, and with limits that tests do not reach. */
export async function signedInAccount({ app, database }: Pick<TestApi, 'app' | 'database'>, owner: string) {
  const email = `${owner}@example.org`;
  const at = new Date();
  const hash = await passwordHash();
  const { id: accountId } = await transaction(database.pool, (sql) =>
    createAccount(sql, { email, passwordHash: hash, acceptTerms: true, at }),
  );
  await setLimits(database.pool, accountId, {
    rps: 100_000,
    burst: 1_000_000,
    concurrency: 1_000,
    dailyEstimates: 1_000_000,
  });
  const made = await createKey(database.pool, { accountId, mode: 'live', name: `key of ${owner}`, at });
  const browser = createBrowser(app);
  expect((await browser.post('/sign-in', { email, password })).status).toBe(200);
  return { accountId, email, browser, ...made } satisfies SignedIn;
}
