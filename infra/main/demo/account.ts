import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { createAccount } from '../../records/accounts/accounts.ts';
import { createKey } from '../../records/accounts/keys.ts';
import { hashPassword } from '../../records/accounts/password.ts';
import { linkPaths, makeLink } from '../../records/accounts/links.ts';
import { createPool } from '../../drivers/postgres/pool.ts';
import { transaction } from '../../drivers/postgres/transaction.ts';

async function withPool<T>(databaseUrl: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const pool = createPool(databaseUrl, { max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

interface DemoAccount {
  readonly accountId: string;
  readonly key: string;
  readonly keyFile: string;
}

/**
 * Creates an account with its free credit, and a live key that is also stored in `DATA_DIR/demo-key`, readable by its
 * owner only.
 */
export const openDemoAccount = (databaseUrl: string, dataDir: string): Promise<DemoAccount> =>
  withPool(databaseUrl, async (pool) => {
    const email = `demo-${Date.now()}-${randomBytes(2).toString('hex')}@example.invalid`;
    const passwordHash = await hashPassword(randomBytes(18).toString('base64'));
    const made = await transaction(pool, async (sql) => {
      const at = new Date();
      const { id: accountId } = await createAccount(sql, { email, passwordHash, acceptTerms: true, at });
      return { accountId, key: (await createKey(sql, { accountId, mode: 'live', name: 'demo', at })).key };
    });
    const keyFile = join(dataDir, 'demo-key');
    await writeFile(keyFile, made.key, { mode: 0o600 });
    return { ...made, keyFile };
  });

/** Path of a page that signs in as the demo account; it works once, within an hour. */
export const demoSignInPath = (databaseUrl: string, accountId: string): Promise<string> =>
  withPool(databaseUrl, async (pool) => linkPaths.sign_in((await makeLink(pool, 'sign_in', accountId)).token));
