import { afterAll, beforeAll, expect, it } from 'vitest';
import { send, startTestApi, type TestApi } from '../support/api.ts';
import { createModel } from '../support/money.ts';
import { signedInAccount } from '../support/two-accounts.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api.close());

it('the pages learn whether a model is live or a test, also after its end, and nothing of a model of another', async () => {
  const ann = await signedInAccount(api, 'ann');
  const bob = await signedInAccount(api, 'bob');
  const id = await createModel(api.database.pool, ann.accountId, new Date());
  const state = async (who: typeof ann) => (await who.browser.get(`/models/${id}/state`)).body;
  expect(await state(ann)).toEqual({ mode: 'live', status: 'active' });
  expect(await state(bob)).toEqual({ mode: null, status: null });
  expect((await send(api.app, ann.key, 'DELETE', `/v1/task-models/${id}`)).status).toBe(200);
  expect(await state(ann)).toEqual({ mode: 'live', status: 'deleted' });
  expect((await ann.browser.get('/models/clf_nothing/state')).body).toEqual({ mode: null, status: null });
  expect((await bob.browser.get('/requests')).body.data).toEqual([]);
});
