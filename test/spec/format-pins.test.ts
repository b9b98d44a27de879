import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../infra/drivers/postgres/index.ts';
import { unservableModels } from '../../infra/records/task-models/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { modelId } from '../support/money.ts';
import { inOldDatabase } from '../support/old-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const accountId = '00000000-0000-4000-8000-000000000001';
const [first, second, collecting] = [modelId(), modelId(), modelId()];

test('models and batches stored before format and answer were pins are told by what they pin, those of format 1 named', async () => {
  await inOldDatabase(database, '0050', async (old) => {
    await old.query(`INSERT INTO accounts (id, email) VALUES ($1, 'old@example.org')`, [accountId]);
    const insert = `
      INSERT INTO task_models (id, account_id, mode, description, status, task_kind, classes, channels, signal, method, model_ref,
        created_at, fitted_at, collect_until, pins)
      VALUES ($1, '${accountId}', 'test', 'd', $2, 'motor', '{a,b}', '{C3}', '{}', '{}', 'm', now(), now(), now(), $3)`;
    const [method, features] = ['method:csp-lda@1', 'features:cov@1'];
    await old.query(insert, [first, 'active', [method]]);
    await old.query(insert, [second, 'active', [features, method, 'resampler@1']]);
    await old.query(insert, [collecting, 'collecting', []]);
    await old.query(
      `INSERT INTO task_model_batches (model_id, n, features_ref, trials, windows, class_counts, signal, pins, created_at)
       VALUES ($1, 1, 'one', 1, 1, '{}', '{}', '{}', now()), ($1, 2, 'two', 1, 1, '{}', '{}', $2, now())`,
      [collecting, [features]],
    );
    await migrate(old);

    const { rows } = await old.query('SELECT id, pins FROM task_models');
    expect(new Map(rows.map(({ id, pins }) => [id, pins]))).toEqual(
      new Map([
        [first, ['answer@1', 'format@1', method]],
        [second, ['answer@1', features, 'format@2', method, 'resampler@1']],
        [collecting, []],
      ]),
    );
    const { rows: batches } = await old.query('SELECT pins FROM task_model_batches ORDER BY n');
    expect(batches).toEqual([{ pins: ['format@1'] }, { pins: [features, 'format@2'] }]);

    const lacking = (await unservableModels(old)).map(({ modelId: id, needs }) => [id, needs]);
    expect(new Map(lacking as [string, string[]][])).toEqual(
      new Map([first, collecting].map((id) => [id, ['version 1 of the storage format']])),
    );
  });
});
