import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { rehearseOn } from '../drivers/postgres/index.ts';
import { createAccount } from './accounts/index.ts';
import { createCost, credit } from './ledger/index.ts';

/**
 * Runs `fn` for an account that nobody has, with credit for a create, in a transaction that is rolled back. The
 * connection has the plans and functions afterwards that it needed.
 */
export const forNobody = (pool: pg.Pool, fn: (pool: pg.Pool, accountId: string) => Promise<unknown>): Promise<void> =>
  rehearseOn(pool, async (own) => {
    const at = new Date();
    const email = `${randomUUID()}@nobody.invalid`;
    const { id: accountId } = await createAccount(own, { email, passwordHash: 'none', acceptTerms: true, at });
    await credit(own, { accountId, amount: createCost, source: 'operator', at });
    await fn(own, accountId);
  });
