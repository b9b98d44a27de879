import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { predictionList, preparing } from '../../api/contract/responses.ts';
import { taskModel } from '../../infra/contract/task-model-resource.ts';
import { trainingReport } from '../../infra/contract/training-report.ts';
import type { Client } from '@temporalio/client';
import { completeFit } from '../../infra/records/reference-fits/fits.ts';
import { askForFit } from '../../api/jobs/ask-for-fit.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { newAccount, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { createTestDesk, type TestDesk } from '../support/reference-desk.ts';
import { storePeople } from '../support/stored-reference-people.ts';
import { alphaTrials, referenceEvidence, storeReferenceFit } from '../support/reference-fit.ts';

const path = '/v1/task-models';
const channels = ['O1', 'Oz', 'O2'];
const ref = (id: string) => ({ data_set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed', class: id });
const mapping = { EO: ref('eyes_open'), EC: ref('eyes_closed') };
const body = {
  mode: 'zero_shot',
  description: 'resting state, canary-description',
  classes: ['EO', 'EC'],
  channels,
  sampling_rate_hz: 256,
  trial_seconds: 2,
  reference_classes: mapping,
};

let api: TestApi;
let desk: TestDesk;
let key: string;
let accountId: string;
let fit: Awaited<ReturnType<typeof storeReferenceFit>>;
beforeAll(async () => {
  desk = createTestDesk();
  api = await startTestApi({ reference: desk }, { inProcess: true });
  fit = await storeReferenceFit(api.deps.objects, channels);
});
afterAll(() => api.close());
beforeEach(async () => {
  desk.preparationIs({ status: 'ready' });
  desk.fitIs({ status: 'ready', result: fit });
  ({ key, accountId } = await newAccount(api.database));
});

const create = (change: Record<string, unknown> = {}, headers = {}, own = key): Promise<Reply> =>
  send(api.app, own, 'POST', path, { ...body, ...change }, headers);
const balance = async (): Promise<string> => {
  const sql = 'SELECT balance::text FROM wallets WHERE account_id = $1';
  return (await api.database.pool.query<{ balance: string }>(sql, [accountId])).rows[0].balance;
};
const models = async (): Promise<number> => (await send(api.app, key, 'GET', path)).body.data.length;

describe('a create before the recordings are ready', () => {
  it('is answered 202 with no model and no charge, and its key serves the retry', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    desk.preparationIs({ status: 'running', estimatedSeconds: 12 });
    const before = await balance();
    for (let i = 0; i < 2; i++) {
      const early = await create({}, headers);
      expect(early.status, early.text).toBe(202);
      expect(preparing.parse(early.body)).toEqual(early.body);
      expect(early.body).toMatchObject({ object: 'task_model.preparing', preparation: { status: 'running' } });
      expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect([await balance(), await models()]).toEqual([before, 0]);
    desk.preparationIs({ status: 'ready' });
    const made = await create({}, headers);
    expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const again = await create({}, headers);
    expect([again.text, again.headers['idempotent-replayed'], await models()]).toEqual([made.text, 'true', 1]);
  });

  it('gets the same answer without a mapping, which is required once the recordings are ready', async () => {
    desk.preparationIs({ status: 'queued' });
    expect((await create({ reference_classes: null })).status).toBe(202);
    desk.preparationIs({ status: 'ready' });
    const reply = await create({ reference_classes: null });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', 'reference_classes']);
    const estimated = await create({ reference_classes: null, ...reply.body.alternatives[0] });
    expect(estimated.body).toMatchObject({ ready: true, reference_classes: mapping });
  });

  it('counts with its estimate against the daily allowance, and starts nothing above it', async () => {
    desk.preparationIs({ status: 'queued' });
    const one = await newAccount(api.database, { limits: { dailyEstimates: 1 }, key: { mode: 'test' } });
    const before = desk.asked.length;
    for (const change of [{ dry_run: true }, {}, {}])
      expect((await create(change, {}, one.key)).status).toBeLessThan(203);
    expect(desk.asked).toHaveLength(before + 3);
    const other = await create({ trial_seconds: 3 }, {}, one.key);
    expect([other.status, other.body.code]).toEqual([429, 'USAGE_CAP_EXCEEDED']);
    expect(desk.asked).toHaveLength(before + 3);
  });

  it('is refused with 402 if the balance does not cover it, and with 422 if its mapping was changed', async () => {
    desk.preparationIs({ status: 'queued' });
    const poor = await newAccount(api.database, { limits: { dailyCapMicroUsd: 1_500_000n } });
    expect((await create({}, {}, poor.key)).body.code).toBe('BUDGET_EXCEEDED');
    const headers = { 'idempotency-key': randomUUID() };
    const changed = await create({ reference_classes: { EO: mapping.EC, EC: mapping.EO } }, headers);
    expect([changed.status, changed.body.code, changed.body.field]).toEqual([
      422,
      'INVALID_REQUEST',
      'reference_classes',
    ]);
    expect(changed.body.alternatives).toEqual([{ reference_classes: mapping }]);
    const { EO, EC } = mapping;
    const turned = { EC: Object.fromEntries(Object.entries(EC).toReversed()), EO };
    expect((await create({ reference_classes: turned }, headers)).status).toBe(202);
  });
});

describe('a create whose fit was removed', () => {
  it('is answered 202 while it is made again, with no model and no charge', async () => {
    const { pool } = api.database;
    let started = 0;
    const client = { workflow: { start: async () => (started += 1) } } as unknown as Client;
    const at = new Date();
    await storePeople(pool, { set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' }, 5, at);
    const { fit: real } = desk;
    desk.fit = (wanted, how) => askForFit({ pool, client }, wanted, how);
    try {
      const headers = { 'idempotency-key': randomUUID() };
      const before = await balance();
      expect((await create({}, headers)).status).toBe(202);
      const { rows } = await pool.query<{ key: string }>('SELECT key FROM reference_fits');
      const made = (ref: string) => completeFit(pool, rows[0].key, { ...fit, ref }, at);
      await made(`${fit.ref}-gone`);
      const again = await create({}, headers);
      expect([again.status, again.body.preparation?.status, started]).toEqual([202, 'queued', 2]);
      expect([await balance(), await models()]).toEqual([before, 0]);
      await made(fit.ref);
      expect((await create({}, headers)).status).toBe(201);
    } finally {
      desk.fit = real;
    }
  });
});

describe('a create with a ready fit', () => {
  let made: Reply;
  let url: string;
  beforeEach(async () => {
    made = await create({ name: 'Eyes', expires_in_days: 9 });
    url = `${path}/${made.body.id}`;
  });

  it('hosts the fit on other people, charged as any create', async () => {
    expect(made.status, made.text).toBe(201);
    expect(taskModel.parse(made.body)).toEqual(made.body);
    expect(made.body).toMatchObject({
      mode: 'zero_shot',
      status: 'active',
      name: 'Eyes',
      classes: ['EO', 'EC'],
      channels,
      task_kind: 'other',
      signal: { trials: 0, seconds_per_trial: 2 },
      evidence: { people: 12, lower_bound_95: 0.75 },
      explanation: { EO: 'Sits at rest and keeps the eyes open.' },
      reference_classes: mapping,
      cost: { usd: '2.00', windows: 0 },
    });
    expect(made.headers.location).toBe(url);
    const { training_report: report } = made.body;
    expect(trainingReport.parse(report)).toEqual(report);
    expect(Object.keys(report.recall).toSorted()).toEqual(['EC', 'EO']);
    expect(report.confusion_matrix.labels.toSorted()).toEqual(['EC', 'EO']);
    expect(JSON.stringify(report)).not.toContain('eyes_closed');
    expect([typeof report.balanced_accuracy, report.chance]).toEqual(['number', 0.5]);
    expect(await balance()).toBe('3000000');
    expect((await checkLedger(api.database.pool)).problems).toEqual([]);
    const { rows } = await api.database.pool.query(
      'SELECT DISTINCT t.kind FROM ledger_transactions t WHERE t.account_id = $1 AND t.model_id = $2 ORDER BY 1',
      [accountId, made.body.id],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['hold.reserve', 'task_models.create_fee', 'task_models.hosting']);
  });

  it('is shown with its mode and evidence, in a list without the evidence, renamed and deleted as any model', async () => {
    const { cost: _cost, ...model } = made.body;
    expect((await send(api.app, key, 'GET', url)).body).toEqual(model);
    const [row] = (await send(api.app, key, 'GET', path)).body.data;
    expect(row).toMatchObject({ mode: 'zero_shot', reference_classes: mapping });
    expect(row).not.toHaveProperty('evidence');
    expect((await send(api.app, key, 'PATCH', url, { name: 'other' })).body.name).toBe('other');
    expect((await send(api.app, key, 'DELETE', url)).body.status).toBe('deleted');
  });

  it('labels trials with the caller’s class names, and warns that a new person differs unless the trials are recentred', async () => {
    const trials = alphaTrials(6, channels);
    const x = Buffer.from(trials.data.buffer).toString('base64');
    const signal = { x, shape: [12, 3, 512], sampling_rate_hz: 256, units: 'uV', channels };
    const predict = (align: string) => send(api.app, key, 'POST', `${url}/predictions`, { ...signal, align });
    const alone = await predict('none');
    expect(predictionList.parse(alone.body)).toEqual(alone.body);
    const labels = alone.body.data.map(({ label }: { label: string }) => label);
    expect(labels).toEqual(Array.from({ length: 12 }, (_, trial) => (trial % 2 ? 'EO' : 'EC')));
    const note = alone.body.signal.warnings.find((text: string) => text.includes('align: "batch"'));
    expect(note).toContain('0.812 with it and 0.620 without');
    const batch = await predict('batch');
    expect(batch.status).toBe(200);
    expect(batch.body.signal.warnings.join()).not.toContain('a new person differs');
  });

  it('leaves no description in the job, whose request is the only part that passes through Temporal', async () => {
    const sql = 'SELECT request::text FROM fit_requests WHERE model_id = $1';
    const { rows } = await api.database.pool.query<{ request: string }>(sql, [made.body.id]);
    expect(rows).toHaveLength(1);
    expect(rows[0].request).not.toContain('canary');
    expect(rows[0].request).not.toContain('"EO"');
    expect(api.logged.join()).not.toContain('canary');
  });
});

describe('the reason why a create is refused', () => {
  it('is evidence that does not clear chance: nothing is charged', async () => {
    desk.fitIs({ status: 'ready', result: { ...fit, evidence: { ...referenceEvidence, lowerBound: 0.5 } } });
    const before = await balance();
    const reply = await create();
    expect([reply.status, reply.body.code]).toEqual([422, 'NO_REFERENCE_DATA']);
    expect([await balance(), await models()]).toEqual([before, 0]);
  });

  it('is a fit that was replaced meanwhile: the hold is released and the key is free', async () => {
    desk.fitIs({ status: 'ready', result: { ...fit, ref: 'reference/eegmmidb-1.0.0/eyes-open-closed-1/fits/gone' } });
    const headers = { 'idempotency-key': randomUUID() };
    const before = await balance();
    const reply = await create({}, headers);
    expect(reply.status).toBe(502);
    expect([await balance(), await models()]).toEqual([before, 0]);
    desk.fitIs({ status: 'ready', result: fit });
    expect((await create({}, headers)).status).toBe(201);
  });

  it('is nothing with a test key: the model is free and ends by itself', async () => {
    const test = await newAccount(api.database, { key: { mode: 'test' } });
    const reply = await create({}, {}, test.key);
    expect([reply.status, reply.body.test, reply.body.cost.usd]).toEqual([201, true, '0.00']);
    expect(reply.body.test_ends_at).toBeGreaterThan(reply.body.created);
  });
});
