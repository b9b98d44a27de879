import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThreads } from '../../api/threads/client.ts';
import { createApiPool } from '../../api/threads/pool.ts';
import { batchesOf } from '../../infra/records/task-models/batches.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { raiseAnswer, raiseFamily, raiseMethod, raiseResampler } from '../support/raise-versions.ts';
import { createBody } from '../support/requests.ts';

const path = '/v1/task-models';
let api: TestApi;
let key: string;
let undo: (() => void)[] = [];
const pinsOf = async (id: string) => (await readStored(api.database.pool, id))!.pins;
const { description: _, labels, ...signal } = createBody();

beforeAll(async () => {
  api = await startTestApi();
  ({ key } = await newAccount(api.database, { key: { mode: 'test' } }));
});
afterAll(async () => {
  undo.forEach((takeBack) => takeBack());
  await api.close();
});

describe('a service whose versions were raised', () => {
  it('answers as before for an old model, creates with the new versions, and fits old batches', async () => {
    const post = (url: string, body?: unknown, app = api.app) => send(app, key, 'POST', url, body);
    const hosted = (await post(path, createBody())).body;
    const collecting = (await post(path, createBody({ defer_fit: true }))).body;
    const before = await post(`${path}/${hosted.id}/predictions`, signal);
    expect(before.status).toBe(200);
    expect(await pinsOf(hosted.id)).toEqual([
      'answer@1',
      'features:cov@1',
      'format@2',
      'method:tangent-logistic@2',
      'resampler@1',
    ]);

    undo = [raiseMethod('tangent-logistic'), raiseFamily('cov'), raiseResampler(), raiseAnswer()];
    const entry = new URL('../support/raised-entry.ts', import.meta.url);
    const threads = createApiPool(api.threadData, { entry, size: 1, quickThreads: 0 });
    undo.push(() => void threads.close());
    const raised = api.second({ threads: createThreads(threads) });

    const after = await post(`${path}/${hosted.id}/predictions`, signal, raised);
    expect(after.body.data).toEqual(before.body.data);

    const created = (await post(path, createBody(), raised)).body;
    expect(created.method).toMatchObject({ id: 'tangent-logistic', version: '3' });
    expect(await pinsOf(created.id)).toEqual([
      'answer@2',
      'features:cov@2',
      'format@2',
      'method:tangent-logistic@3',
      'resampler@2',
    ]);

    expect((await post(`${path}/${collecting.id}/trials`, { ...signal, labels }, raised)).status).toBe(200);
    const [first, second] = await batchesOf(api.database.pool, collecting.id);
    expect(second!.pins).toEqual(first!.pins);
    expect((await post(`${path}/${collecting.id}/fit`, undefined, raised)).status).toBe(200);
    expect(await pinsOf(collecting.id)).toEqual([
      'answer@2',
      'features:cov@1',
      'format@2',
      'method:tangent-logistic@3',
      'resampler@1',
    ]);
  });
});
