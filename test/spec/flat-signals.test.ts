import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { createBody, labels, nested } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
});
afterAll(() => api.close());

const path = '/v1/task-models';
const post = (url: string, body?: unknown) => send(api.app, account.key, 'POST', url, body);
const available = async () => (await balance(api.database.pool, account.accountId)).available;
const signalOf = (change: Record<string, unknown> = {}) => {
  const { description: _description, labels: _labels, ...signal } = createBody(change);
  return signal;
};

const plain = nested();
/** The waveform with some trials at one level throughout: zero, or one of their own in each channel. */
const flattened = (rows: readonly number[], level = 0) =>
  plain.map((trial, t) => (rows.includes(t) ? trial.map((row, c) => row.map(() => level * (t + c))) : trial));
const every = labels.map((_, t) => t);

describe('a signal from which nothing can be learned', () => {
  it.each([
    ['zero', flattened(every)],
    ['constant, of another level in each trial', flattened(every, 7_000)],
    ['flat in all but 4 trials of a class', flattened([0, 2], 3)],
  ])(
    'that is %s ends a create with CLASSIFIER_FIT_FAILED, which names the trials, without a charge',
    async (_name, x) => {
      const before = await available();
      const reply = await post(path, createBody({ x }));
      expect([reply.status, reply.body.code]).toEqual([422, 'CLASSIFIER_FIT_FAILED']);
      expect(reply.body.message).toMatch(/(12|2) of 12 trials carry no signal.*\(trial 0, trial [12]/);
      expect(await available()).toBe(before);
      const estimate = await post(path, createBody({ x, dry_run: true }));
      expect(estimate.body.warnings.join(' ')).toMatch(/Flat trials: (12|2) of 12 .*\(0, [12]/);
    },
  );

  it('because one trial of a class is flat and another one is covered by an artefact: the estimate gives the same reason', async () => {
    const x = flattened([0]).map((trial, t) => (t === 2 ? trial.map((row) => row.map((v) => 300 * v)) : trial));
    const estimate = await post(path, createBody({ x, dry_run: true }));
    expect(estimate.body.warnings.join(' ')).toMatch(
      /Flat trials: 1 of 12 .* The fit will fail: .* left with 4 of the 5/,
    );
    expect(estimate.body.warnings.join(' ')).toMatch(/Artefacts: in 1 of 12 .* The fit will fail: /);
    const reply = await post(path, createBody({ x }));
    expect([reply.status, reply.body.code]).toEqual([422, 'CLASSIFIER_FIT_FAILED']);
    expect(reply.body.message).toMatch(
      /2 of 12 trials carry no signal: .* or an artefact covers it \(trial 0, trial 2\)/,
    );
  });

  it('ends a deferred fit in the same way, and the model stays collecting', async () => {
    const created = await post(path, createBody({ x: flattened(every), defer_fit: true }));
    expect(created.body.signal.warnings.join(' ')).toContain('Flat trials: 12 of 12');
    const url = `${path}/${created.body.id}`;
    await post(`${url}/trials`, { ...signalOf({ x: flattened([1, 3]) }), labels });
    const before = await available();
    const reply = await post(`${url}/fit`);
    expect([reply.status, reply.body.code]).toEqual([422, 'CLASSIFIER_FIT_FAILED']);
    expect(reply.body.message).toMatch(/14 of 24 trials .*\(trial 0 of batch 1, .* and 6 more\)/);
    expect(await available()).toBe(before);
    await post(`${url}/trials`, { ...signalOf(), labels });
    const fitted = await post(`${url}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    expect(fitted.body.training_report.trials_per_class).toEqual({ left: 12, right: 10 });
  });

  it('that is flat in few trials is fitted without them, and says so', async () => {
    const reply = await post(path, createBody({ x: flattened([4]) }));
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body.training_report.trials_per_class).toEqual({ left: 5, right: 6 });
    expect(reply.body.training_report.warnings.join(' ')).toContain('Flat trials: 1 of 12');
    const url = `${path}/${reply.body.id}/predictions`;
    const none = await post(url, signalOf({ x: flattened(every, 50) }));
    expect([none.status, none.body.code, none.body.field]).toEqual([422, 'INVALID_REQUEST', 'x']);
    const some = await post(url, signalOf({ x: flattened([1]) }));
    expect(some.body.signal.warnings.join(' ')).toMatch(
      /Flat trials: 1 of 12 .*\(1\)\. Their labels mean nothing\. Every class gets the same probability/,
    );
  });
});
