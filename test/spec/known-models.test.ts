import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKey, parseKey } from '../../infra/records/accounts/index.ts';
import { admit, type Admitted } from '../../infra/records/admission/index.ts';
import { admitTogether } from '../../infra/records/admission/admit-together.ts';
import {
  createKnownModels,
  remember,
  type KnownModels,
  type VersionedRow,
} from '../../infra/records/admission/known-models.ts';
import { insertCollecting, markDeleted, patchModel } from '../../infra/records/task-models/index.ts';
import { send } from '../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { signal, startKeyedApi } from '../support/keyed-api.ts';
import { createModel, newAccount, newModel } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const at = new Date();
const terms = { scopes: ['predictions'], whileSuspended: false, leaseSeconds: 60 };

/** A pool that notes what it is asked: an admission with the columns of a model or without, or models alone. */
function noting(failures = 0) {
  let left = failures;
  const asked: ('whole' | 'version' | 'anew')[] = [];
  const query = async (statement: { text: string }) => {
    const admits = statement.text.includes('admit_requests_together');
    asked.push(admits ? (statement.text.includes('m.channels') ? 'whole' : 'version') : 'anew');
    if (!admits && left-- > 0) throw new Error('The server was ended.');
    return database.pool.query(statement);
  };
  return { asked, pool: { query } as unknown as Pool };
}

/** Somebody with a key, who was admitted before, and asks about models. */
async function newCaller() {
  const accountId = await newAccount(database.pool, at);
  const { key } = await createKey(database.pool, { accountId, mode: 'live', at });
  const { keyId, hash: secretHash } = parseKey(key)!;
  const request = (id: string | null) => ({
    ip: '192.0.2.7',
    leaseId: randomUUID(),
    model: id === null ? null : { id, report: false },
    key: null,
  });
  const first = { keyId, secretHash, endpoint: 'task_models.predict', requestId: randomUUID(), ...terms };
  await admit(database.pool, { ...first, ...request(null) });
  const ask = async (pool: Pool, known: KnownModels, ...ids: (string | null)[]): Promise<(Admitted | Error)[]> => {
    await database.pool.query('DELETE FROM request_leases');
    const lines = [{ keyId, secretHash, requests: ids.map(request) }];
    const admissions = (await admitTogether(pool, terms, lines, known)) as (Admitted | Error)[];
    return await Promise.all(admissions.map(whole));
  };
  return { accountId, ask };
}

/** With its model, where that was still to be read. */
const whole = async (admission: Admitted | Error): Promise<Admitted | Error> => {
  if (admission instanceof Error || !admission.readModel) return admission;
  return admission.readModel().then(
    (model) => ({ ...admission, model }),
    (error: Error) => error,
  );
};

const namesOf = (admissions: readonly (Admitted | Error)[]) =>
  admissions.map((each) => (each instanceof Error ? each.message : each.model && (each.model.name ?? 'unnamed')));

it('a model that was read is read again only once somebody has written it, and is then as it was written', async () => {
  const { accountId, ask } = await newCaller();
  const id = await createModel(database.pool, accountId, at);
  await patchModel(database.pool, accountId, id, { name: 'first' });
  const [known, { asked, pool }] = [createKnownModels(), noting()];
  const both = [await ask(pool, known, id, id), await ask(pool, known, id, null, id)];
  expect(both.map(namesOf)).toEqual([
    ['first', 'first'],
    ['first', null, 'first'],
  ]);
  expect(both[1]![0]).toMatchObject({ model: (both[0]![0] as Admitted).model });
  expect(asked.splice(0)).toEqual(['whole', 'version']);

  await patchModel(database.pool, accountId, id, { name: 'second' });
  expect(namesOf(await ask(pool, known, id, id))).toEqual(['second', 'second']);
  expect(namesOf(await ask(pool, known, id))).toEqual(['second']);
  expect(asked.splice(0)).toEqual(['version', 'anew', 'version']);

  await markDeleted(database.pool, accountId, id, at);
  const [deleted] = await ask(pool, known, id);
  expect((deleted as Admitted).model?.status).toBe('deleted');
});

it('a write that was rolled back changes nothing, one in the same transaction as another is seen whole', async () => {
  const { accountId, ask } = await newCaller();
  const id = await createModel(database.pool, accountId, at);
  const [known, { asked, pool }] = [createKnownModels(), noting()];
  await ask(pool, known, id);
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    for (const name of ['one', 'two']) await patchModel(client, accountId, id, { name });
    expect(namesOf(await ask(pool, known, id))).toEqual(['unnamed']);
    await client.query('ROLLBACK');
    expect(namesOf(await ask(pool, known, id))).toEqual(['unnamed']);
    await client.query('BEGIN');
    for (const name of ['one', 'two']) await patchModel(client, accountId, id, { name });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(namesOf(await ask(pool, known, id))).toEqual(['two']);
  expect(asked).toEqual(['whole', 'version', 'version', 'version', 'anew']);
});

it('nobody but its owner finds a known model, and nobody one that is not there', async () => {
  const [owner, other] = [await newCaller(), await newCaller()];
  const id = await createModel(database.pool, owner.accountId, at);
  const [known, { asked, pool }] = [createKnownModels(), noting()];
  expect((await owner.ask(pool, known, id))[0]).toMatchObject({ model: { id } });
  expect(namesOf(await other.ask(pool, known, id))).toEqual([null]);
  expect(namesOf(await other.ask(pool, known, `clf_${'0'.repeat(32)}`))).toEqual([null]);
  expect(asked).toEqual(['whole', 'version', 'whole']);
});

it('a collecting model, of which other tables decide, is read each time', async () => {
  const { accountId, ask } = await newCaller();
  const model = newModel(accountId, at);
  await insertCollecting(database.pool, model);
  const [known, { asked, pool }] = [createKnownModels(), noting()];
  for (let time = 0; time < 2; time++)
    expect((await ask(pool, known, model.id))[0]).toMatchObject({ model: { status: 'collecting' } });
  expect(asked).toEqual(['whole', 'whole']);
});

it('where a written model cannot be read anew, requests about it fail and the others are admitted', async () => {
  const { accountId, ask } = await newCaller();
  const ids = [await createModel(database.pool, accountId, at), await createModel(database.pool, accountId, at)];
  const known = createKnownModels();
  await ask(noting().pool, known, ...ids);
  await patchModel(database.pool, accountId, ids[0]!, { name: 'written' });
  const failing = noting(2);
  const admissions = await ask(failing.pool, known, ids[0]!, ids[0]!, ids[1]!);
  expect(namesOf(admissions.slice(0, 2))).toEqual(['The server was ended.', 'The server was ended.']);
  expect((admissions[2] as Admitted).model?.id).toBe(ids[1]);
  expect(failing.asked).toEqual(['version', 'anew', 'anew']);
  const once = noting(1);
  expect(namesOf(await ask(once.pool, known, ids[0]!))).toEqual(['written']);
  expect(once.asked).toEqual(['version', 'anew', 'anew']);
});

it('a request whose model cannot be read anew gives back its place and its key, and may be sent again', async () => {
  const keyed = await startKeyedApi();
  try {
    const { pool } = keyed.api.database;
    let left = 0;
    const query = async (statement: { text?: string }, ...rest: unknown[]) => {
      if (statement.text?.includes('m.id = ANY') && left-- > 0)
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
      return (pool.query as (...args: unknown[]) => unknown).call(pool, statement, ...rest);
    };
    const app = keyed.api.second({ pool: Object.assign(Object.create(pool) as Pool, { query }) });
    const key = randomUUID();
    const predict = (name?: string) => keyed.post(keyed.predictUrl, signal, name, app);
    expect((await predict()).status).toBe(200);
    const modelUrl = keyed.predictUrl.replace('/predictions', '');
    expect((await send(app, keyed.account.key, 'PATCH', modelUrl, { name: 'written' })).status).toBe(200);
    left = 2;
    expect((await predict(key)).status).toBe(503);
    expect((await pool.query('SELECT FROM request_leases')).rowCount).toBe(0);
    expect((await pool.query(`SELECT FROM idempotency_keys WHERE state = 'running'`)).rowCount).toBe(0);
    expect((await predict(key)).status).toBe(200);
  } finally {
    await keyed.api.close();
  }
});

it('what is known takes memory in proportion to a bound, and nothing of a deleted model', () => {
  const known = createKnownModels();
  const row = (id: string, status: string) =>
    ({ id, status, version: '1', description: 'x'.repeat(1_000_000), available: 1n }) as unknown as VersionedRow;
  for (let at = 0; at < 40; at++) remember(known, row(`clf_${at}`, 'active'));
  expect(known.size).toBeGreaterThan(10);
  expect(known.size).toBeLessThan(18);
  remember(known, row('clf_39', 'deleted'));
  expect(known.get('clf_39')).toBeUndefined();
});
