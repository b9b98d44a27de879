import { Client as Connection } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { rehearseCreate } from '../../api/use-cases/rehearse-create.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.close());

it('a rehearsed create goes as far as its fit, and nothing of it stays', async () => {
  const runFit = vi.fn(async (_: FitRequest): Promise<never> => {
    throw new Error('Temporal refuses it.');
  });
  const asked = vi.spyOn(Connection.prototype, 'query');
  await rehearseCreate({ ...api.deps, jobs: { ...api.deps.jobs, runFit } });
  const texts = asked.mock.calls.map(([each]) => (each as unknown as { text: string }).text);
  asked.mockRestore();
  for (const part of ['admit_requests_together', 'INSERT INTO task_models', 'INSERT INTO holds', 'count_usage'])
    expect(texts.some((each) => each.includes(part))).toBe(true);
  expect(texts.filter((each) => each === 'COMMIT')).toEqual([]);
  expect(runFit).toHaveBeenCalledOnce();
  const [{ candidates, source }] = runFit.mock.calls[0]!;
  expect(candidates.length).toBeGreaterThan(0);
  expect(source).toHaveProperty('staged');

  expect(await api.deps.objects.list('')).toEqual([]);
  for (const table of [
    'task_models',
    'fit_requests',
    'holds',
    'request_leases',
    'ledger_transactions',
    'accounts',
    'usage_days',
  ])
    expect((await api.database.admin.query(`SELECT FROM ${table}`)).rows).toEqual([]);
  expect(api.logged).toEqual([]);
});
