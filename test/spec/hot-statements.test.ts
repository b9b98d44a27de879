import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { terms as accepted } from '../../infra/contract/terms.ts';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { closingState, reapClosedAccounts } from '../../infra/records/accounts/close.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { findAccount } from '../../infra/records/accounts/accounts.ts';
import { findSession, startSession } from '../../infra/records/accounts/sessions.ts';
import { hashToken } from '../../infra/records/accounts/tokens.ts';
import { reapAccounts } from '../../infra/records/accounts/reap-accounts.ts';
import { countAttempt } from '../../infra/records/accounts/attempts.ts';
import { parseKey } from '../../infra/records/accounts/key-format.ts';
import {
  beginIdempotency,
  finishIdempotency,
  unlockIdempotency,
  setIdempotentJob,
  storedAnswer,
} from '../../infra/records/admission/idempotency.ts';
import { countEstimate, finishRequest } from '../../infra/records/admission/usage.ts';
import { createLeaseKeeper } from '../../infra/records/admission/leases.ts';
import { loggedRequests, reapRequestLog } from '../../infra/records/admission/request-log.ts';
import { reapAdmission } from '../../infra/records/admission/reap-admission.ts';
import { usageByDay } from '../../infra/records/admission/usage-by-day.ts';
import { usageReport } from '../../infra/records/admission/usage-report.ts';
import { cancelUnawaited } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { readJob } from '../../infra/records/fit-jobs/read-job.ts';
import { answerOf, enqueueFit, finishFit, lockJob, pendingFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { runningFits } from '../../infra/records/fit-jobs/running.ts';
import {
  modelsWithPendingFit,
  objectRights,
  reapFitRequests,
  undoStuckStarts,
  unendedFits,
} from '../../infra/records/fit-jobs/stuck.ts';
import { assertWindows, charge } from '../../infra/records/ledger/charges.ts';
import { ledgerPage } from '../../infra/records/ledger/lines.ts';
import { keepLedgerMonths } from '../../infra/records/ledger/months.ts';
import { release, reserve } from '../../infra/records/ledger/holds.ts';
import { spending } from '../../infra/records/ledger/spending.ts';
import {
  addBatch,
  batchesOf,
  batchTotals,
  featureNamesOf,
  fitSignalsOf,
} from '../../infra/records/task-models/batches.ts';
import { findModel, insertCollecting, listModels } from '../../infra/records/task-models/models.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { payDueHosting, renewUnpaid } from '../../infra/records/task-models/hosting.ts';
import { readProgress } from '../../infra/records/task-models/progress.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { admitRequests, type Credential } from '../../infra/records/admission/admit.ts';
import { fillDatabase, filledRows, largeTables } from '../support/filled-database.ts';
import { newAccount, newModel, signal } from '../support/money.ts';

let database: TestDatabase;
/** One connection, so that its statistics can be asked for after each statement. */
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  // By connections of their own: one that stays open tells up to ten seconds later what it read.
  const filling = createPool(database.url, { max: 4 });
  await keepLedgerMonths(filling);
  await reapRequestLog(filling, new Date());
  await fillDatabase(filling);
  await addLines(filling);
  await filling.end();
  pool = createPool(database.url, { max: 1, role: 'eeg_service' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Adds many lines to the ledger of the busy account. */
async function addLines(admin: Pool): Promise<void> {
  await admin.query(
    `WITH added AS (
       INSERT INTO ledger_transactions (account_id, kind, at)
       SELECT $1, 'credit.operator', now() FROM generate_series(1, ${linesOfBusy}) RETURNING id, account_id)
     INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
     SELECT id, account_id, account, amount FROM added,
       (VALUES ('source.operator', -1), ('wallet', 1)) AS e (account, amount)`,
    [busy],
  );
  await admin.query('ANALYZE ledger_transactions, ledger_entries');
}

/** Rows that were read so far, by table with its partitions, through indexes or without. */
async function read(): Promise<Record<string, number>> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await database.admin.query<{ name: string; count: bigint }>(
    `SELECT coalesce(p.relname, s.relname) AS name, sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS count
     FROM pg_stat_user_tables s LEFT JOIN pg_inherits i ON i.inhrelid = s.relid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE coalesce(p.relname, s.relname) = ANY ($1) GROUP BY 1`,
    [largeTables],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}

/** No account, model or job of the filled database has as many rows of one table, except the busy account. */
const most = 100;

const at = new Date();
/** An account with as many requests as the others together, of which few were refused. */
const busy = createHash('md5').update('account 0').digest('hex');
const linesOfBusy = 2_000;
/** Where a page of its requests ended, in the middle of them. */
const oldest = `${(at.getTime() - 4 * 86_400_000) * 1000}.r`;
const refused = { refusedOnly: true };
const rare = { code: 'SCOPE_MISSING' };
/** An account whose requests were all refused. */
const outside = createHash('md5').update('account 1').digest('hex');

const before = (minutes: number): Date => new Date(at.getTime() - minutes * 60_000);

/** Every statement that a request, a renewal or the sweep runs, by what it is for. */
async function statements(): Promise<readonly (readonly [string, () => Promise<unknown>])[]> {
  const {
    rows: [middle],
  } = await database.pool.query<{ id: bigint }>(
    `SELECT id FROM ledger_transactions WHERE account_id = $1 ORDER BY id OFFSET ${linesOfBusy / 2} LIMIT 1`,
    [busy],
  );
  const place = { id: middle!.id, balance: 1n };
  const accountId = await newAccount(database.pool, at);
  const { keyId, key: apiKey } = await createKey(database.pool, { accountId, mode: 'live', at });
  const model = newModel(accountId, at);
  const { id } = model;
  const own = { accountId, mode: 'live' as const };
  const key = { ...own, key: 'k' };
  const [leaseId, jobId] = [randomUUID(), randomUUID()];
  const inside = (work: Parameters<typeof transaction>[1]) => (): Promise<unknown> => transaction(pool, work);
  const batch = {
    modelId: id,
    featuresRef: 'f',
    trials: 4,
    windows: 4,
    classCounts: { left: 2 },
    pins: [],
    bytes: 1,
    at,
    signal,
  };
  const event = { ...own, keyId, endpoint: 'e', status: 200, code: 'ok', windows: 1, microUsd: 1n, requestId: 'r', at };
  const request = { jobId, modelId: id, ...own, holdId: null, idempotencyKey: null, requestId: 'r' } as FitRequest;
  const terms = { scopes: ['predictions'], leaseSeconds: 60, whileSuspended: false };
  const asked = { ...terms, endpoint: 'e', requestId: 'r', ip: '127.0.0.1', model: { id, report: false }, key: 'k' };
  const session = (await startSession(database.pool, accountId))!;
  const signedIn = { kind: 'session', mode: 'live', terms: accepted.version } as const;
  const admit = (credential: Credential, waits = false) => {
    const requests = [0, 1].map(() => ({ ...asked, leaseId: randomUUID() }));
    return admitRequests(pool, terms, [{ credential, requests }], waits);
  };
  const byKey: Credential = { kind: 'key', keyId, hash: parseKey(apiKey)!.hash };
  const renewal = async (): Promise<void> => {
    let failure: unknown = null;
    const keeper = createLeaseKeeper({ sql: pool, seconds: 0.03, onError: (error) => (failure = error) });
    keeper.hold(leaseId);
    await new Promise((resolve) => setTimeout(resolve, 60));
    keeper.close();
    expect(failure).toBeNull();
  };
  return [
    ['admission', () => admit(byKey)],
    ['admission that waits', () => admit(byKey, true)],
    ['admission of a session that has ended', () => admit({ ...signedIn, hash: randomBytes(32) })],
    ['admission of a session', () => admit({ ...signedIn, hash: hashToken(session.token) })],
    ['a session', () => findSession(pool, session.token)],
    ['an attempt', () => countAttempt(pool, { kind: 'sign-in-account', subject: 'a@example.org' })],
    ['sweep: sessions, links and attempts', () => reapAccounts(pool, at)],
    ['the account', () => findAccount(pool, { id: accountId })],
    ['an idempotency key', () => beginIdempotency(pool, { ...key, hash: 'h', lockId: leaseId, lockSeconds: 60 })],
    ['renewal of leases and locks', renewal],
    [
      'its job',
      () => setIdempotentJob(pool, { ...key, job: { modelId: id, jobId, holdId: null }, lockId: leaseId, hash: 'h' }),
    ],
    ['letting it go', () => unlockIdempotency(pool, { ...key, lockId: leaseId })],
    ['its answer', () => finishIdempotency(pool, { ...key, status: 200, body: '{}', modelId: null, hash: 'h' })],
    ['a replay', () => storedAnswer(pool, { ...key, hash: 'h' })],
    ['the end of a request', () => finishRequest(pool, event, { leaseId, key: 'k', lockId: leaseId })],
    ['an estimate', () => countEstimate(pool, { accountId, allowance: 5, at })],
    ['usage', () => usageReport(pool, { ...own, at })],
    ['usage by day', () => usageByDay(pool, { accountId, days: 366, at })],
    ['spending', () => spending(pool, accountId, at, 'live')],
    ['a new model', inside((sql) => insertCollecting(sql, model))],
    ['a batch', inside((sql) => addBatch(sql, batch))],
    ['batches', () => batchesOf(pool, id)],
    ['what batches hold together', () => batchTotals(pool, id)],
    ['signals for a fit', () => fitSignalsOf(pool, id)],
    ['features of batches', () => featureNamesOf(pool, id)],
    ['one model', () => findModel(pool, accountId, id)],
    ['a page of models', () => listModels(pool, accountId, { limit: 20, before: id, at, mode: 'live' })],
    ['funds for windows', () => assertWindows(pool, { ...own, windows: 1, at })],
    ['windows', inside((sql) => charge(sql, { ...own, modelId: id, kind: 'task_models.predict', windows: 1, at }))],
    [
      'a hold and its release',
      inside(async (sql) => release(sql, await reserve(sql, { ...own, modelId: id, at }), at)),
    ],
    ['a job', inside((sql) => enqueueFit(sql, request, at, leaseId))],
    ['a job that is locked', inside((sql) => lockJob(sql, jobId))],
    ['the pending job', () => pendingFit(pool, id)],
    ['progress', () => readProgress(pool, jobId)],
    ['the end of a job', () => finishFit(pool, jobId, { status: 200, body: '{}' }, at)],
    ['the answer of a job', () => answerOf(pool, jobId)],
    ['hosting that is due', inside((sql) => payDueHosting(sql, id, at))],
    ['what is due', inside((sql) => settleDue(sql, id, at))],
    ['unpaid hosting', inside((sql) => renewUnpaid(sql, accountId, at))],
    ['a deletion', inside((sql) => markDeleted(sql, accountId, id, at))],
    ['sweep: leases and keys', () => reapAdmission(pool, at)],
    ['sweep: the request log', () => reapRequestLog(pool, at)],
    ['sweep: closed accounts', () => reapClosedAccounts(pool, at)],
    ['what closing an account meets', () => closingState(pool, accountId, at)],
    ['a job', () => readJob(pool, { accountId, mode: 'live', jobId: randomUUID() })],
    ['jobs that run', () => runningFits(pool, accountId)],
    ['a page of requests', () => loggedRequests(pool, busy, { limit: 20, before: null })],
    ['a later page', () => loggedRequests(pool, busy, { limit: 20, before: oldest })],
    ['a page of refused requests', () => loggedRequests(pool, busy, { limit: 20, before: oldest, filter: refused })],
    ['a page of one code', () => loggedRequests(pool, busy, { limit: 20, before: oldest, filter: rare })],
    ['a page of what worked', () => loggedRequests(pool, outside, { limit: 20, before: null, filter: { code: 'ok' } })],
    ['a page of the ledger', () => ledgerPage(pool, busy, { limit: 20, before: null })],
    ['a later page of the ledger', () => ledgerPage(pool, busy, { limit: 20, before: place })],
    ['sweep: jobs nobody waits for', () => cancelUnawaited(pool, at)],
    ['sweep: jobs that wait', () => modelsWithPendingFit(pool, before(1))],
    ['sweep: jobs that do not end', () => unendedFits(pool, before(360))],
    ['sweep: stuck starts', inside((sql) => undoStuckStarts(sql, before(15), at))],
    ['sweep: old answers', () => reapFitRequests(pool, { keyed: before(43_200), unkeyed: before(1_440) })],
    ['sweep: owners of objects', () => objectRights(pool, [id])],
  ];
}

test('no statement of a request, a renewal or the sweep reads more of a large table than its own rows', async () => {
  const found: string[] = [];
  for (const [what, run] of await statements()) {
    const earlier = await read();
    await run();
    const now = await read();
    for (const table of largeTables)
      if (now[table]! - earlier[table]! > most)
        found.push(`${what}: ${now[table]! - earlier[table]!} rows of ${table}`);
  }
  expect(found).toEqual([]);
});

test('and the measurement detects one that does', async () => {
  const earlier = await read();
  await pool.query(`SELECT count(*) FROM idempotency_keys WHERE response_body = 'x'`);
  expect((await read())['idempotency_keys']! - earlier['idempotency_keys']!).toBeGreaterThanOrEqual(filledRows);
});
