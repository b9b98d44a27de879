import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { idOfCreate } from '../../clients/dashboard/models/file/id-of-create.ts';
import { sendFitJob } from '../../clients/dashboard/models/file/send-fit-job.ts';

const job = { object: 'job', id: 'job_1', task_model_id: 'clf_1', task_model: null, error: null };
const model = { object: 'task_model', id: 'clf_1', status: 'active' };
const failed = { code: 'CLASSIFIER_FIT_FAILED', message: 'for programs', field: '', details: { request_id: 'r' } };

let asked: string[];
let answers: Record<string, [number, unknown][]>;
beforeEach(() => {
  asked = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (path: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
    const short = path.replace('/dashboard/api', '');
    asked.push(`${method} ${short} ${headers['prefer'] ?? ''}`.trim());
    const [status, body] = answers[short].shift()!;
    return Promise.resolve(Response.json(body, { status }));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const create = () => {
  const ids: string[] = [];
  const ended = sendFitJob('', { 'x-key-mode': 'test' }, '{}', (id) => ids.push(id));
  ended.catch(() => undefined);
  return { ids, ended };
};

it('a create is a job: the id is known at once, and the log of requests has the job read once', async () => {
  answers = {
    '/v1/task-models': [[202, job]],
    '/jobs': [
      [200, { data: [{ model_id: 'clf_1' }] }],
      [503, failed],
      [200, { data: [] }],
    ],
    '/v1/jobs/job_1': [[200, { ...job, task_model: model }]],
  };
  const { ids, ended } = create();
  await vi.advanceTimersByTimeAsync(0);
  expect(ids).toEqual(['clf_1']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ended).toEqual(model);
  expect(asked).toEqual([
    'POST /v1/task-models respond-async',
    'GET /jobs',
    'GET /jobs',
    'GET /jobs',
    'GET /v1/jobs/job_1',
  ]);
});

it('a job that failed is a failure of the interface, whose own sentence no page shows', async () => {
  answers = {
    '/v1/task-models': [[202, job]],
    '/jobs': [[200, { data: [] }]],
    '/v1/jobs/job_1': [[200, { ...job, error: failed }]],
  };
  const { ended } = create();
  await vi.advanceTimersByTimeAsync(2_000);
  await expect(ended).rejects.toMatchObject({ status: 422, isOfInterface: true });
});

it('a fit that ended at once is answered by its model, and an early refusal is thrown', async () => {
  answers = { '/v1/task-models': [[201, model]] };
  const { ids, ended } = create();
  expect([await ended, ids]).toEqual([model, ['clf_1']]);
  await expect(idOfCreate(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
