import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { applyAlternative, channels, createBody, labels, nested } from '../support/requests.ts';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await startTestApi();
  ({ key } = await newAccount(api.database));
});
afterAll(() => api.close());

const create = (change: Record<string, unknown>): Promise<Reply> =>
  send(api.app, key, 'POST', '/v1/task-models', createBody(change));
const estimate = (change: Record<string, unknown>): Promise<Reply> => create({ ...change, dry_run: true });
const byCheck = ({ body }: Reply): Record<string, any> =>
  Object.fromEntries(body.findings.map((finding: { check: string }) => [finding.check, finding]));

/** Noise of the size of EEG, other in every trial. */
const noise = (): number[][][] => nested().map((trial, t) => trial.map((row, c) => row.map((_, s) => wave(t, c, s))));
const wave = (t: number, c: number, s: number): number => 20 * Math.sin((s + 1) ** 2 * (t + 2) * (c + 3) * 0.7);

/** Everything wrong that a request can have and still be fitted. */
const spoilt = (): Record<string, unknown> => {
  const x = noise();
  for (const trial of x) trial[1] = trial[0];
  x[3] = x[3].map((row) => row.map(() => 0));
  x[8] = x[2];
  return {
    x: x.map((trial) => trial.map((row) => row.map((value) => value * 1e-6))),
    sessions: labels.map((label) => `day of ${label}`),
    channels,
  };
};

describe('an estimate', () => {
  it('reports each problem of the data with its fix', async () => {
    const found = byCheck(await estimate(spoilt()));
    expect(found).toMatchObject({
      units: { change: { units: 'V' }, remove: null },
      flat_trials: { change: null, remove: { trials: [3], channels: [] } },
      doubled_channels: { remove: { channels: ['Cz'], trials: [] } },
      doubled_trials: { remove: { channels: [], trials: [8] } },
      sessions_and_classes: { change: null, remove: null },
      few_trials: { message: expect.stringContaining('left 6, right 6') },
    });
  });

  it('is clean of a finding once its change is merged into the request', async () => {
    const body = createBody({ ...spoilt(), dry_run: true });
    const { units } = byCheck(await send(api.app, key, 'POST', '/v1/task-models', body));
    const mended = applyAlternative(body, units.change);
    expect(byCheck(await send(api.app, key, 'POST', '/v1/task-models', mended))).not.toHaveProperty('units');
  });

  it('offers the first spelling of labels that differ only in case or blanks', async () => {
    const spelt = [...labels, ...labels].map((label, t) => (t % 4 === 1 ? 'Right' : label));
    const x = [...noise(), ...noise().map((trial) => trial.map((row) => row.map((value) => -value)))];
    const found = byCheck(await estimate({ x, labels: spelt }));
    expect(found.label_spelling.change).toEqual({
      labels: spelt.map((label) => (label === 'right' ? 'Right' : label)),
    });
    expect(found.label_spelling.message).toContain('"Right" and "right"');
  });

  it('gives every warning of the create', async () => {
    const told = await estimate(spoilt());
    const made = await create(spoilt());
    expect(made.status).toBe(201);
    expect(told.body.warnings).toEqual(told.body.findings.map(({ message }: { message: string }) => message));
    expect(made.body.signal.warnings.length).toBeGreaterThanOrEqual(5);
    expect(told.body.warnings).toEqual(expect.arrayContaining(made.body.signal.warnings));
    const beforeTheFit = made.body.training_report.warnings.slice(0, told.body.warnings.length);
    expect(beforeTheFit).toEqual(told.body.warnings);
  });

  it('warns of labels in two blocks as the report does, which gives no evidence', async () => {
    const sorted = { x: noise(), labels: labels.toSorted() };
    const told = await estimate(sorted);
    const { label_order: order } = byCheck(told);
    expect(order).toMatchObject({ message: expect.stringContaining('The labels come in 2 blocks'), change: null });
    expect(told.body.warnings).toContain(order.message);
    const other = await newAccount(api.database);
    const made = await send(api.app, other.key, 'POST', '/v1/task-models', createBody(sorted));
    const { training_report: report } = made.body;
    expect(report).toMatchObject({ corrected: null, p_value: null });
    expect(report.warnings.filter((warning: string) => warning.includes('2 blocks'))).toEqual([order.message]);
  });

  it('finds in plain trials only that they are few and short', async () => {
    const reply = await estimate({ x: noise(), sampling_rate_hz: 100 });
    expect(Object.keys(byCheck(reply)).sort()).toEqual(['few_trials', 'length']);
  });
});

describe('the signal of a deferred fit', () => {
  it('counts the trials of all batches, and gives each warning once', async () => {
    const first = await create({ x: noise(), defer_fit: true });
    const url = `/v1/task-models/${first.body.id}`;
    const batch = { ...createBody({ x: spoilt().x }), description: undefined };
    const added = await send(api.app, key, 'POST', `${url}/trials`, batch);
    expect(added.status).toBe(200);
    const warnings = [...new Set([...first.body.signal.warnings, ...added.body.signal.warnings])];
    expect(warnings.length).toBeGreaterThan(first.body.signal.warnings.length);
    const signal = { trials: 24, warnings };
    expect((await send(api.app, key, 'GET', url)).body.signal).toMatchObject(signal);
    const fitted = await send(api.app, key, 'POST', `${url}/fit`);
    expect(fitted.status).toBe(200);
    expect(fitted.body.signal).toMatchObject(signal);
    expect((await send(api.app, key, 'GET', url)).body.signal).toMatchObject(signal);
  });
});
