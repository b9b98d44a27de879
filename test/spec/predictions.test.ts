import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { predictionList } from '../../api/contract/responses.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { channels, createBody, labels, nested } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
});
afterAll(() => api.close());

const path = '/v1/task-models';
const post = (url: string, body?: unknown) => send(api.app, account.key, 'POST', url, body);
const signalOf = (change: Record<string, unknown> = {}) => {
  const { description: _description, labels: _labels, ...signal } = createBody(change);
  return signal;
};

describe('predictions', () => {
  let url: string;
  beforeAll(async () => {
    url = `${path}/${(await post(path, createBody({ description: 'for predictions' }))).body.id}/predictions`;
  });

  it('label every trial in the order sent, with probabilities that sum to 1, for 0.003 a window', async () => {
    const reply = await post(url, signalOf());
    expect(reply.status, reply.text).toBe(200);
    const { data, cost } = predictionList.parse(reply.body);
    expect(data.map(({ index }) => index)).toEqual(labels.map((_, index) => index));
    for (const { label, probabilities } of data) {
      expect(Object.keys(probabilities).sort()).toEqual(['left', 'right']);
      expect(Object.values(probabilities).reduce((sum, value) => sum + value)).toBeCloseTo(1, 12);
      expect(probabilities[label]).toBe(Math.max(...Object.values(probabilities)));
    }
    expect(cost).toEqual({ usd: '0.036', windows: 12 });
  });

  it('do not depend on the order of the channels, nor, with align none, on the other trials', async () => {
    const whole = (await post(url, signalOf())).body.data;
    const x = nested();
    const order = [2, 0, 1];
    const turned = (
      await post(
        url,
        signalOf({ x: x.map((trial) => order.map((row) => trial[row])), channels: order.map((row) => channels[row]) }),
      )
    ).body.data;
    expect(turned).toEqual(whole);
    for (const trial of [0, 7]) {
      const [alone] = (await post(url, signalOf({ x: [x[trial]] }))).body.data;
      expect(alone.probabilities).toEqual(whole[trial].probabilities);
    }
    const loud = x.map((trial) => trial.map((row, channel) => row.map((value) => value * (channel + 2))));
    const [apart, together] = await Promise.all(
      (['none', 'batch'] as const).map(async (align) => (await post(url, signalOf({ x: loud, align }))).body.data),
    );
    const moved = apart.map((answer: { probabilities: { left: number } }, at: number) =>
      Math.abs(answer.probabilities.left - together[at].probabilities.left),
    );
    expect(Math.max(...moved)).toBeGreaterThan(1e-4);
  });

  it('name missing channels and channels that are not part of the model', async () => {
    const reply = await post(url, signalOf({ channels: ['C3', 'Cz', 'Pz'] }));
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', 'channels']);
    expect(reply.body.message).toMatch(/Missing \(1\): C4.*Not part of the model \(1\): Pz/);
  });

  it('of an unknown model are 404, of a collecting one 422', async () => {
    const unknown = await post(`${path}/clf_${'1'.repeat(32)}/predictions`, signalOf());
    expect([unknown.status, unknown.body.code]).toEqual([404, 'CLASSIFIER_NOT_FOUND']);
    const { body } = await post(path, createBody({ defer_fit: true }));
    const early = await post(`${path}/${body.id}/predictions`, signalOf());
    expect([early.status, early.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(early.body.message).toContain('collecting');
  });
});

it('logs no fault in any of this', () => {
  expect(api.logged).toEqual([]);
});
