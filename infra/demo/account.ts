import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount, createKey, hashPassword } from '../records/accounts/index.ts';
import { createPool, transaction } from '../drivers/postgres/index.ts';

/**
 * A fresh account with its free credit, and a live key that is also kept in `DATA_DIR/demo-key`, readable by its owner
 * only.
 */
export async function openDemoAccount(
  databaseUrl: string,
  dataDir: string,
): Promise<{ key: string; keyFile: string; email: string }> {
  const email = `demo-${Date.now()}-${randomBytes(2).toString('hex')}@example.invalid`;
  const pool = createPool(databaseUrl, { max: 1 });
  try {
    const passwordHash = await hashPassword(randomBytes(18).toString('base64'));
    const { key } = await transaction(pool, async (sql) => {
      const at = new Date();
      const account = await createAccount(sql, {
        email,
        passwordHash,
        acceptTerms: true,
        at,
      });
      return await createKey(sql, { accountId: account.id, mode: 'live', name: 'demo', at });
    });
    const keyFile = join(dataDir, 'demo-key');
    await writeFile(keyFile, key, { mode: 0o600 });
    return { key, keyFile, email };
  } finally {
    await pool.end();
  }
}
