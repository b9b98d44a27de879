import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { admitRequests, type Credential } from '../../infra/records/admission/admit.ts';
import { keepLedgerMonths } from '../../infra/records/ledger/months.ts';
import { chargePredictions } from '../../infra/records/ledger/predictions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount } from '../support/money.ts';

let database: TestDatabase;
/** One connection, which keeps its plans. */
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 1, role: 'eeg_service' });
  await keepLedgerMonths(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Tables to which each prediction adds rows, or of which it changes the same one again and again. */
const growing = [
  'ledger_entries',
  'ledger_transactions',
  'rate_windows',
  'request_leases',
  'request_log',
  'spending_days',
  'usage_days',
];

async function readWhole(): Promise<Record<string, number>> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await database.admin.query<{ name: string; count: bigint }>(
    `SELECT coalesce(p.relname, s.relname) AS name, sum(seq_scan)::bigint AS count
     FROM pg_stat_user_tables s LEFT JOIN pg_inherits i ON i.inhrelid = s.relid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE coalesce(p.relname, s.relname) = ANY ($1) GROUP BY 1`,
    [growing],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}

test.each([
  ['by itself', true],
  ['with others', false],
])(
  'a prediction that is admitted and charged %s does not scan growing tables, even with plans from when they were small',
  async (_, waits) => {
    const at = new Date();
    const accountId = await newAccount(database.pool, at);
    const modelId = await createModel(database.pool, accountId, at);
    const { keyId } = await createKey(database.pool, { accountId, mode: 'live', at });
    const { rows } = await database.pool.query('SELECT secret_hash FROM api_keys WHERE key_id = $1', [keyId]);
    await database.pool.query('INSERT INTO rate_windows VALUES ($1, $2, 0, $2, 0)', [accountId, at]);
    const predict = async (): Promise<void> => {
      const asked = {
        endpoint: 'task_models.predict',
        requestId: randomUUID(),
        leaseId: randomUUID(),
        ip: '127.0.0.1',
      };
      const terms = { scopes: ['predictions'], leaseSeconds: 60, whileSuspended: false };
      const request = { ...asked, ...terms, model: { id: modelId, report: false }, key: null };
      const credential: Credential = { kind: 'key', keyId, hash: rows[0].secret_hash as Buffer };
      const [admission] = await admitRequests(pool, terms, [{ credential, requests: [request] }], waits);
      expect(admission).toMatchObject({ outcome: 'admitted' });
      const prediction = { ...asked, modelId, windows: 1, at: new Date(), keyId, endsLease: true, answer: null };
      const payer = { mode: 'live', endpoint: asked.endpoint } as const;
      const [charged] = await chargePredictions(pool, payer, [{ accountId, predictions: [prediction] }], { waits });
      expect(charged).toEqual({ outcome: 'charged', leaseEnded: true });
    };
    await predict();
    await database.admin.query(`VACUUM ANALYZE ${growing.join(', ')}`);
    const before = await readWhole();
    for (let count = 0; count < 12; count += 1) await predict();
    expect(await readWhole()).toEqual(before);
  },
);
