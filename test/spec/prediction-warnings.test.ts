import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { channels, createBody, labels, nested } from '../support/requests.ts';

let api: TestApi;
let key: string;
let url: string;
const path = '/v1/task-models';
const x = nested(labels.length, channels.length, 256);
const signal = { x, sampling_rate_hz: 256, units: 'uV', channels };
const post = (to: string, body: unknown) => send(api.app, key, 'POST', to, body);
const scaled = (factor: number) => x.map((trial) => trial.map((row) => row.map((value) => value * factor)));

beforeAll(async () => {
  api = await startTestApi();
  key = (await newAccount(api.database)).key;
  const created = await post(path, createBody(signal));
  expect(created.status, created.text).toBe(201);
  url = `${path}/${created.body.id}/predictions`;
});
afterAll(() => api.close());

/** Warnings of a prediction on changed signal fields. */
async function warnings(change: object): Promise<string> {
  const reply = await post(url, { ...signal, ...change });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.signal.warnings.join(' ');
}

describe('a prediction', () => {
  it('of trials like those it was fitted on warns of nothing', async () => {
    expect(await warnings({})).toBe('');
    expect(await warnings({ x: x.slice(0, 1) })).toBe('');
    expect(await warnings({ x: scaled(3e-6), units: 'V' })).toBe('');
  });

  it('warns of an amplitude that the trials of its model do not have: volts declared as microvolts, or more', async () => {
    expect(await warnings({ x: scaled(1e-6) })).toMatch(
      /median channel varies by 0\.0000\d+ µV, and by \d\.\d+ µV in the model's trials/,
    );
    expect(await warnings({ units: 'mV' })).toMatch(/varies by \d+ µV, and by \d\.\d+ µV in the model's trials/);
  });

  it('warns of flat channels, dropouts, offsets and line noise as a create does', async () => {
    const changed = (change: (value: number, trial: number, row: number, i: number) => number) =>
      x.map((trial, t) => trial.map((row, c) => row.map((value, i) => change(value, t, c, i))));
    const hum = (i: number) => 60 * Math.sin((2 * Math.PI * 50 * i) / 256);
    expect(await warnings({ x: changed((value, _, c) => (c === 1 ? 0 : value)) })).toMatch(
      /Flat channels: Cz .*The model was fitted on them too/,
    );
    expect(await warnings({ x: changed((value, t, c) => (c === 1 && t < 2 ? 0 : value)) })).toMatch(
      /Dropouts: Cz in 2 of 12 trials/,
    );
    expect(await warnings({ x: changed((value) => value + 20_000) })).toMatch(/Offsets: C3/);
    expect(await warnings({ x: changed((value, _t, _c, i) => value + hum(i)) })).toMatch(/Line noise: power at 50 Hz/);
  });

  it('is refused on trials from which nothing can be read, and costs nothing', async () => {
    for (const none of [scaled(0), x.map((trial) => trial.map((row) => row.map(() => 7)))]) {
      const reply = await post(url, { ...signal, x: none });
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', 'x']);
    }
  });
});

describe('a later batch', () => {
  it('is compared with the amplitude of the first one', async () => {
    const { body } = await post(path, createBody({ ...signal, defer_fit: true }));
    const batch = await post(`${path}/${body.id}/trials`, { ...signal, x: scaled(1e-3), labels });
    expect(batch.status, batch.text).toBe(200);
    expect(batch.body.signal.warnings.join(' ')).toMatch(/and by \d\.\d+ µV in the model's trials/);
  });
});
