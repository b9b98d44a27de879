import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { channels, createBody, nested } from '../support/requests.ts';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await startTestApi();
  ({ key } = await newAccount(api.database));
});
afterAll(() => api.close());

const post = (url: string, body?: unknown): Promise<Reply> => send(api.app, key, 'POST', `/v1/task-models${url}`, body);

/** Five trials of one class and seven of the other, in no blocks. */
const labels = ['left', 'right', 'right', 'left', 'right', 'left', 'right', 'right', 'left', 'right', 'left', 'right'];
const shares = { left: expect.closeTo(5 / 12, 3), right: expect.closeTo(7 / 12, 3) };
const parameters = { priors: 'as_sent', baseline_seconds: 0.3 };
const sent = createBody({ labels, parameters });
const signal = { x: nested(), sampling_rate_hz: 100, units: 'uV', channels };

async function requirePriors({ id, training_report: report }: Reply['body']): Promise<void> {
  expect(report.priors).toMatchObject({ kind: 'as_sent', classes: shares, sent: shares });
  expect(report.controls.find((row: { id: string }) => row.id === 'baseline')).toMatchObject({
    status: 'scored',
    balanced_accuracy: expect.any(Number),
    reason: null,
  });
  const { status, body } = await post(`/${id}/predictions`, signal);
  expect([status, body.priors]).toEqual([200, { kind: 'as_sent', classes: shares }]);
}

describe('`parameters` of a create', () => {
  it('decide the estimate, the report and the answers of predictions', async () => {
    expect((await post('', { ...sent, dry_run: true })).body.priors).toBe('as_sent');
    const { status, body } = await post('', sent);
    expect(status).toBe(201);
    await requirePriors(body);
  });

  it('apply to a deferred fit, whose batches take none', async () => {
    const { body: model } = await post('', { ...sent, defer_fit: true });
    const batch = { ...signal, x: signal.x.map((trial) => trial.map((row) => row.toReversed())), labels };
    const refused = await post(`/${model.id}/trials`, { ...batch, parameters });
    expect([refused.status, refused.body.field]).toEqual([422, 'parameters.priors']);
    expect((await post(`/${model.id}/trials`, batch)).status).toBe(200);
    const { status, body } = await post(`/${model.id}/fit`);
    expect(status).toBe(200);
    await requirePriors(body);
  });

  it('if absent mean balanced priors, and the report says that the baseline was not measured', async () => {
    const other = await newAccount(api.database);
    const { body } = await send(api.app, other.key, 'POST', '/v1/task-models', createBody({ labels }));
    expect(body.training_report.priors).toMatchObject({ kind: 'balanced', classes: { left: 0.5, right: 0.5 } });
    expect(body.training_report.controls.at(-1)).toMatchObject({ id: 'baseline', status: 'not_measured' });
  });
});
