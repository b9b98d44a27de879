import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { newAccount, send, startTestApi, type TestAccount, type TestApi } from '../support/api.ts';
import { base64, channels, createBody, labels, nested } from '../support/requests.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await startTestApi();
  account = await newAccount(api.database);
});
afterAll(() => api.close());

const path = '/v1/task-models';
const post = (url: string, body?: unknown, { key } = account) => send(api.app, key, 'POST', url, body);
const available = async () => (await balance(api.database.pool, account.accountId)).available;

/** The signal fields of trials that last so many samples at a rate. */
const signalAt = (rateHz: number, samples: number) => ({
  x: base64(nested(labels.length, channels.length, samples)),
  shape: [labels.length, channels.length, samples],
  sampling_rate_hz: rateHz,
  units: 'uV',
  channels,
});
const collect = async (rateHz: number, samples: number): Promise<string> => {
  const { body } = await post(path, { ...createBody(), ...signalAt(rateHz, samples), defer_fit: true });
  return `${path}/${body.id}`;
};

describe('batches of one model', () => {
  it('at different rates are resampled to one form, which the answer states, and are fitted together', async () => {
    const url = await collect(256, 256);
    for (const [rateHz, samples, said] of [
      [512, 512, /sampled at 512 Hz, and the model's trials at 256 Hz/],
      [1_000, 1_001, /257 samples.* cut at the end to the 256 samples/],
      [200, 199, /255 samples.* extended by their last value/],
    ] as const) {
      const reply = await post(`${url}/trials`, { ...signalAt(rateHz, samples), labels });
      expect(reply.status, reply.text).toBe(200);
      expect(reply.body.signal.warnings.join(' ')).toMatch(said);
    }
    const fitted = await post(`${url}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    expect(fitted.body.training_report.trials).toBe(48);
  });

  it('whose rate or length cannot be converted to that form are refused with the field, and cost nothing', async () => {
    const url = await collect(256, 256);
    const before = await available();
    for (const [rateHz, samples, field, said] of [
      [40, 40, 'sampling_rate_hz', /sampled at 40 Hz, and the model's trials at 256 Hz/],
      [256, 300, 'x', /1\.17 s \(300 samples.*1 s \(256 samples/],
      [256, 200, 'x', /0\.78 s \(200 samples.*1 s \(256 samples/],
    ] as const) {
      const reply = await post(`${url}/trials`, { ...signalAt(rateHz, samples), labels });
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', field]);
      expect(reply.body.message).toMatch(said);
    }
    expect(await available()).toBe(before);
    expect((await post(`${url}/fit`)).status).toBe(200);
  });
});

describe('predictions', () => {
  it('take trials with or without their last sample, and state which part of longer ones was read', async () => {
    const other = await newAccount(api.database);
    const { body } = await post(path, { ...createBody(), ...signalAt(1_000, 1_001) }, other);
    const predict = (samples: number, more: object = {}) =>
      post(`${path}/${body.id}/predictions`, { ...signalAt(1_000, samples), ...more }, other);
    const warnings = async (samples: number, more: object = {}) => {
      const reply = await predict(samples, more);
      expect(reply.status, reply.text).toBe(200);
      return reply.body.signal.warnings.join(' ');
    };
    expect(await warnings(1_001)).not.toMatch(/cut|extended/);
    expect(await warnings(1_000)).toMatch(/256 samples at 256 Hz\) were extended by their last value to the 257/);
    expect(await warnings(1_005)).toMatch(/258 samples at 256 Hz\) were cut at the end to the 257/);
    expect(await warnings(2_500)).toMatch(/2 windows of 1\.004 s each were read, the last 0\.492 s were not/);
    expect(await warnings(1_500, { stride_seconds: 0.25 })).toMatch(/2 windows of 1\.004 s each were read/);
    for (const samples of [1, 5, 500]) {
      const short = await predict(samples);
      expect([short.status, short.body.code, short.body.field]).toEqual([422, 'INVALID_REQUEST', 'x']);
    }
  });
});
