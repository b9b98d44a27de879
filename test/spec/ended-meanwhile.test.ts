import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ApiThreads } from '../../api/threads/client.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { markCleaned } from '../../infra/records/task-models/transitions.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { path, signal, small } from '../support/keyed-api.ts';
import { predictingBy } from '../support/predicting-by.ts';
import { createBody, labels } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
});
afterAll(() => api.close());

const available = async () => (await balance(api.database.pool, account.accountId)).available;

/** Sends a request whose model is deleted, with its objects where `cleaned`, while a thread works on `task`. */
async function whileDeleted(id: string, task: keyof ApiThreads, what: string, body: object, cleaned: boolean) {
  const { objects } = api.deps;
  const threads = task === 'predict' ? predictingBy(api.deps.threads, api.deps.threads.predict) : api.deps.threads;
  let left = 0n;
  const app = api.second({
    threads: {
      ...threads,
      [task]: async (...args: unknown[]) => {
        await send(api.app, account.key, 'DELETE', `${path}/${id}`);
        if (cleaned) {
          for (const prefix of ['features', 'models']) await objects.deletePrefix(`${prefix}/${id}/`);
          await markCleaned(api.database.pool, id, 'all');
        }
        left = await available();
        return (threads[task] as (...each: unknown[]) => unknown)(...args);
      },
    },
  });
  const { status, body: answer } = await send(app, account.key, 'POST', `${path}/${id}/${what}`, body);
  return { status, code: answer.code, ended: answer.details?.status, charged: left - (await available()) };
}

const gone = { status: 404, code: 'CLASSIFIER_NOT_FOUND', ended: 'deleted', charged: 0n };

it.each([
  ['is deleted', 'predict', false],
  ['is deleted and cleaned up', 'predict', true],
  ['is deleted', 'label', false],
  ['is deleted and cleaned up', 'label', true],
] as const)(
  'a prediction whose model %s during "%s" is a missing model, and is not charged',
  async (_name, task, cleaned) => {
    const { accountId } = account;
    await transaction(api.database.pool, (sql) =>
      credit(sql, { accountId, amount: 5_000_000n, source: 'operator', at: new Date() }),
    );
    const { id } = (await send(api.app, account.key, 'POST', path, createBody(small))).body;
    expect(await whileDeleted(id, task, 'predictions', signal, cleaned)).toEqual(gone);
  },
);

it('so is a batch', async () => {
  const { id } = (await send(api.app, account.key, 'POST', path, createBody({ ...small, defer_fit: true }))).body;
  expect(await whileDeleted(id, 'refuse', 'trials', { ...signal, labels }, true)).toEqual(gone);
});

it('logs no fault in any of this', () => {
  expect(api.logged).toEqual([]);
});
