import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { beginIdempotency } from '../../infra/records/admission/idempotency.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { chargePredictions } from '../../infra/records/ledger/predictions.ts';
import { createChargeQueue } from '../../infra/records/ledger/charge-queue.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { createPool, openDatabase } from '../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { undoStuckStarts } from '../../infra/records/fit-jobs/stuck.ts';
import { createRandom } from '../../ml/random.ts';
import { runs, seed } from '../support/counts.ts';
import { createModel, newAccount } from '../support/money.ts';

let folder: string;
let server: EmbeddedPostgres;
let pool: Pool;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-chaos-'));
  server = await startEmbeddedPostgres({ dir: join(folder, 'postgres') });
  pool = await openDatabase(server.url);
});
afterAll(async () => {
  await pool.end();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const at = new Date();
const kills = runs(2, 8);
const random = createRandom(seed());

/** Kills the server and waits until its owner has started it again. */
async function killServer(): Promise<void> {
  const pid = server.pid;
  process.kill(pid, 'SIGKILL');
  for (const until = Date.now() + 60_000; server.pid === pid; await sleep(50)) {
    if (Date.now() > until) throw new Error('The server was not started again.');
  }
}

test(`Postgres killed ${kills} times under load: every confirmed charge is stored once, and the books are sound`, async () => {
  const accountId = await newAccount(pool, at);
  await transaction(
    pool,
    async (sql) => await credit(sql, { accountId, amount: 1_000_000_000n, source: 'operator', at }),
  );
  const hosted = await createModel(pool, accountId, at);
  const confirmed: number[] = [];
  const unknown: number[] = [];
  const created: string[] = [];
  const stopped = new AbortController();

  const client = async (worker: number): Promise<void> => {
    for (let i = 1; !stopped.signal.aborted; i += 1) {
      const windows = worker * 100_000 + i;
      try {
        if (i % 5 === 0) created.push(await createModel(pool, accountId, at));
        else {
          await transaction(
            pool,
            async (sql) =>
              await charge(sql, {
                accountId,
                mode: 'live',
                modelId: hosted,
                kind: 'task_models.predict',
                windows: 1,
                at,
                note: String(windows),
              } as Parameters<typeof charge>[1]),
          );
          confirmed.push(windows);
        }
      } catch {
        if (i % 5 !== 0) unknown.push(windows);
        await sleep(20);
      }
    }
  };
  const clients = Array.from({ length: 8 }, async (_, worker) => await client(worker + 1));
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(400 + 300 * random());
    await killServer();
  }
  for (const until = Date.now() + 60_000; confirmed.length <= 50 && Date.now() < until;) await sleep(50);
  stopped.abort();
  await Promise.all(clients);

  const notes = (
    await pool.query<{ note: string }>(`SELECT note FROM ledger_transactions WHERE kind = 'task_models.predict'`)
  ).rows.map((row) => Number(row.note));
  expect(new Set(notes).size).toBe(notes.length);
  expect(confirmed.filter((windows) => !notes.includes(windows))).toEqual([]);
  expect(notes.filter((windows) => !confirmed.includes(windows) && !unknown.includes(windows))).toEqual([]);
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM task_models WHERE status = 'active'`);
  expect(created.filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
  expect(confirmed.length).toBeGreaterThan(50);

  await transaction(pool, async (sql) => await undoStuckStarts(sql, new Date(Date.now() + 1), new Date()));
  expect((await balance(pool, accountId)).held).toBe(0n);
  expect((await checkLedger(pool)).problems).toEqual([]);
});

test('Postgres killed while predictions are charged together: each is charged and kept, or neither, and none twice', async () => {
  const accountId = await newAccount(pool, at);
  await transaction(pool, (sql) => credit(sql, { accountId, amount: 1_000_000_000n, source: 'operator', at }));
  const hosted = await createModel(pool, accountId, at);
  const payer = { accountId, mode: 'live', endpoint: 'task_models.predict' } as const;
  const own = { accountId, mode: 'live' } as const;
  const other = createPool(server.url, { role: 'eeg_service' });
  other.on('error', () => undefined);
  const queues = [pool, other].map((each) => createChargeQueue(each));
  const confirmed: string[] = [];
  const unsure: { key: string; leaseId: string }[] = [];
  const stopped = new AbortController();
  const item = (key: string, leaseId: string) => ({
    modelId: hosted,
    windows: 1,
    at,
    requestId: key,
    keyId: 'k',
    leaseId,
    endsLease: true,
    answer: { key, hash: 'h', body: `"${key}"` },
  });
  const client = async (queue: (typeof queues)[number]): Promise<void> => {
    while (!stopped.signal.aborted) {
      const [key, leaseId] = [crypto.randomUUID(), crypto.randomUUID()];
      try {
        await beginIdempotency(pool, { ...own, key, hash: 'h', lockId: leaseId, lockSeconds: 600 });
      } catch {
        await sleep(20);
        continue;
      }
      try {
        expect((await queue.charge(payer, item(key, leaseId))).outcome).toBe('charged');
        confirmed.push(key);
      } catch {
        unsure.push({ key, leaseId });
      }
    }
  };
  const clients = Array.from({ length: 16 }, async (_, n) => await client(queues[n % 2]!));
  for (let kill = 0; kill < runs(1, 6); kill += 1) {
    const before = confirmed.length;
    for (const until = Date.now() + 60_000; confirmed.length < before + 40 && Date.now() < until;) await sleep(5);
    await killServer();
  }
  const before = confirmed.length;
  for (const until = Date.now() + 60_000; confirmed.length < before + 40 && Date.now() < until;) await sleep(20);
  stopped.abort();
  await Promise.all(clients);
  await other.end();

  // Whoever was left in the dark asks again: what was kept is not charged a second time.
  for (const { key, leaseId } of unsure) {
    const bill = { accountId, predictions: [item(key, leaseId)] };
    await chargePredictions(pool, payer, [bill], { waits: true });
  }
  const { rows } = await pool.query<{ key: string; body: string }>(
    `SELECT key, response_body AS body FROM idempotency_keys WHERE account_id = $1 AND state = 'done'`,
    [accountId],
  );
  expect(rows.every(({ key, body }) => body === `"${key}"`)).toBe(true);
  expect(rows.map(({ key }) => key).toSorted()).toEqual([...confirmed, ...unsure.map(({ key }) => key)].toSorted());
  const { rows: counts } = await pool.query(
    `SELECT (SELECT count(*)::int FROM ledger_transactions WHERE account_id = $1 AND kind = 'task_models.predict') AS charged,
            (SELECT count(*)::int FROM request_log WHERE account_id = $1) AS logged,
            (SELECT sum(requests)::int FROM usage_days WHERE account_id = $1) AS counted`,
    [accountId],
  );
  expect(counts).toEqual([{ charged: rows.length, logged: rows.length, counted: rows.length }]);
  expect((await checkLedger(pool)).problems).toEqual([]);
});
