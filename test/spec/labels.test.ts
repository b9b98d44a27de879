import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { createBody, nested } from '../support/requests.ts';

const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'];
const labels = Array.from({ length: 24 }, (_, trial) => names[trial % names.length]);
const x = nested(labels.length);

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
});
afterAll(() => api.close());

const path = '/v1/task-models';
const post = (url: string, body?: unknown) => send(api.app, account.key, 'POST', url, body);
const signal = () => {
  const { description: _description, labels: _labels, ...rest } = createBody({ x });
  return rest;
};
const pairs = (record: object) =>
  names.map((name) => [name, Object.entries(record).find(([key]) => key === name)?.[1]]);
const counts = (each: number) => names.map((name) => [name, each]);

describe('labels that are names of members of every JavaScript object', () => {
  it('are the classes of a create, in its report and its predictions', async () => {
    const created = await post(path, createBody({ x, labels }));
    expect(created.status, created.text).toBe(201);
    expect(created.body.classes).toEqual(names);
    const report = created.body.training_report;
    expect(pairs(report.trials_per_class)).toEqual(counts(6));
    expect(Object.keys(report.recall).sort()).toEqual(names);
    expect(report.confusion_matrix.labels).toEqual(names);
    const predicted = await post(`${path}/${created.body.id}/predictions`, signal());
    expect(predicted.status, predicted.text).toBe(200);
    for (const { label, probabilities } of predicted.body.data) {
      expect(names).toContain(label);
      expect(Object.keys(probabilities).sort()).toEqual(names);
      expect(Object.values<number>(probabilities).reduce((sum, p) => sum + p)).toBeCloseTo(1, 12);
    }
  });

  it('are counted in estimates, batches and deferred fits', async () => {
    const estimate = await post(path, createBody({ x, labels, dry_run: true }));
    expect(estimate.status, estimate.text).toBe(200);
    expect(pairs(estimate.body.trials_per_class)).toEqual(counts(6));
    const first = await post(path, createBody({ x, labels, defer_fit: true }));
    expect(first.status, first.text).toBe(201);
    const url = `${path}/${first.body.id}`;
    const batch = await post(`${url}/trials`, { ...signal(), labels });
    expect(batch.status, batch.text).toBe(200);
    expect(pairs(batch.body.trials_per_class)).toEqual(counts(12));
    const fitted = await post(`${url}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    expect(fitted.body.classes).toEqual(names);
    expect(pairs(fitted.body.training_report.trials_per_class)).toEqual(counts(12));
  });
});
