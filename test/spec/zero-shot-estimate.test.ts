import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { estimate as estimateAnswer, zeroShotEstimate } from '../../api/contract/responses.ts';
import { usageReport } from '../../infra/records/admission/usage-report.ts';
import { newAccount, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { createTestDesk, type TestDesk } from '../support/reference-desk.ts';
import { alphaTrials, referenceEvidence, storeReferenceFit } from '../support/reference-fit.ts';

const path = '/v1/task-models';
const channels = ['O1', 'Oz', 'O2'];
const body = {
  mode: 'zero_shot',
  description: 'resting state',
  classes: ['EC', 'EO'],
  channels,
  sampling_rate_hz: 250,
  trial_seconds: 2,
};
const nineteen = 'Fp1 Fp2 F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2'.split(' ');
const ref = (id: string) => ({ data_set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed', class: id });
const mapping = { EC: ref('eyes_closed'), EO: ref('eyes_open') };

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
  desk.asked.length = 0;
  desk.fits.length = 0;
  desk.throws = null;
  desk.preparationIs({});
  desk.fitIs({});
  ({ key, accountId } = await newAccount(api.database));
});

const estimate = (change: Record<string, unknown> = {}, headers = {}, own = key): Promise<Reply> =>
  send(api.app, own, 'POST', path, { ...body, ...change, dry_run: true }, headers);
const ready = (): void => {
  desk.preparationIs({ status: 'ready', people: { used: 12, own: 0, missing: 93, faulty: 0 } });
  desk.fitIs({ status: 'ready', result: fit });
};

describe('an estimate without trials', () => {
  it('starts the preparation and returns its progress, the time of the next attempt, and the meaning of the classes', async () => {
    const reply = await estimate();
    expect(reply.status).toBe(200);
    expect(zeroShotEstimate.parse(reply.body)).toEqual(reply.body);
    expect(reply.body).toMatchObject({
      object: 'task_model.estimate',
      mode: 'zero_shot',
      ready: false,
      category: 'resting_state',
      task_kind: 'other',
      classes: ['EC', 'EO'],
      create_usd: '1.00',
      hosting_usd_per_month: '1.00',
      preparation: { status: 'queued', retryable: true, reason: null, progress: null },
      explanation: { EC: 'Sits at rest and keeps the eyes closed.', EO: 'Sits at rest and keeps the eyes open.' },
      reference_classes: mapping,
    });
    expect(reply.body).not.toHaveProperty('evidence');
    expect(reply.body.preparation.estimated_seconds).toBeGreaterThan(40);
    expect(reply.headers['retry-after'], 'how many recordings there are is not known yet').toBe('10');
    expect(desk.asked).toEqual([{ set: 'eegmmidb', version: '1.0.0', task: 'eyes-open-closed' }]);
  });

  it('shows progress, then the time that the fit takes', async () => {
    const people = { done: 3, total: 8 };
    const files = { done: 7, total: 16 };
    const progress = { people, files, bytes: { done: 10, total: 20 } };
    desk.preparationIs({ status: 'running', estimatedSeconds: 9, progress });
    const { body: first } = await estimate();
    expect(first.preparation).toMatchObject({ status: 'running', progress: { people, files: { done: 7, total: 16 } } });
    desk.preparationIs({ status: 'ready' });
    desk.fitIs({ status: 'running', estimatedSeconds: 4 });
    const second = await estimate();
    expect(second.body).toMatchObject({ ready: false, preparation: { status: 'running', estimated_seconds: 4 } });
    expect(second.headers['retry-after']).toBe('4');
    expect(desk.fits).toEqual([
      {
        set: 'eegmmidb',
        version: '1.0.0',
        task: 'eyes-open-closed',
        classes: ['eyes_open', 'eyes_closed'],
        shape: { channelNames: channels, seconds: 2, sourceRateHz: 250 },
      },
    ]);
  });

  it('says what is required if there are too few people, and what failed', async () => {
    desk.preparationIs({ status: 'required', reason: 'One person is not enough: evidence needs 5.' });
    const required = await estimate();
    expect(required.body).toMatchObject({
      ready: false,
      preparation: { status: 'required', retryable: false, estimated_seconds: 0, reason: expect.stringContaining('5') },
    });
    desk.preparationIs({ status: 'failed', retryable: true, reason: 'S002R01.edf is truncated.' });
    const failed = await estimate();
    expect(failed.body.preparation).toMatchObject({ status: 'failed', retryable: true });
    expect(failed.headers['retry-after']).toBe('30');
  });

  it('once ready returns evidence on left-out people, with source and licence', async () => {
    ready();
    const reply = await estimate();
    expect(zeroShotEstimate.parse(reply.body)).toEqual(reply.body);
    expect(reply.headers).not.toHaveProperty('retry-after');
    expect(reply.body).toMatchObject({
      ready: true,
      evidence: {
        kind: 'leave_people_out',
        people: 12,
        balanced_accuracy: 0.8123,
        interval_95: [0.74, 0.88],
        lower_bound_95: 0.75,
        chance: 0.5,
        quartiles: [0.7, 0.82, 0.91],
        balanced_accuracy_unaligned: 0.62,
        electrodes_read: ['O1', 'Oz'],
        electrodes_not_read: ['O2'],
        people_missing: 93,
        data_set: { id: 'eegmmidb', version: '1.0.0', licence: { name: expect.stringContaining('Attribution') } },
      },
      reference_classes: mapping,
    });
    expect(reply.body.evidence.data_set.citations.length).toBeGreaterThan(1);
    expect(reply.body).not.toHaveProperty('preparation');
    expect(reply.body.warnings.join()).toContain('12 other people');
  });

  it('returns the classes that the description names, in its order', async () => {
    const { body: told } = await estimate({ classes: null, description: 'eyes closed versus eyes open at rest' });
    expect(told.classes).toEqual(['eyes closed', 'eyes open']);
    expect(Object.keys(told.reference_classes)).toEqual(['eyes closed', 'eyes open']);
  });

  it('reads old electrode names', async () => {
    desk.preparationIs({ status: 'ready' });
    await estimate({ channels: ['T5', 'T6', 'OZ'] });
    expect(desk.fits[0].shape.channelNames).toEqual(['P7', 'P8', 'Oz']);
  });
});

describe('the daily count of estimates', () => {
  const left = async (): Promise<string[]> => {
    const sql = 'SELECT estimates FROM estimate_days WHERE account_id = $1';
    const { rows } = await api.database.pool.query<{ estimates: number }>(sql, [accountId]);
    return rows.map(({ estimates }) => String(estimates));
  };

  it('counts one estimate, however often the same request is sent until it is ready', async () => {
    for (let i = 0; i < 3; i++) await estimate();
    await estimate({ trial_seconds: 1.9999 });
    expect(await left()).toEqual(['1']);
    await estimate({ trial_seconds: 3 });
    expect(await left()).toEqual(['2']);
    ready();
    await estimate();
    expect(await left()).toEqual(['2']);
    await estimate();
    expect(await left()).toEqual(['3']);
    const { counts } = await usageReport(api.database.pool, { accountId, mode: 'live', at: new Date() });
    expect(counts.today?.estimates).toBe(3n);
  });

  it('counts each of several final estimates that are sent at once', async () => {
    ready();
    await Promise.all(Array.from({ length: 6 }, () => estimate()));
    expect(await left()).toEqual(['6']);
  });

  it('counts a new attempt after one that has ended', async () => {
    await estimate();
    desk.preparationIs({ status: 'failed', retryable: true, reason: 'S002R01.edf is truncated.', due: true });
    await estimate();
    expect(await left()).toEqual(['2']);
  });

  it('starts nothing if the allowance is used up, or if the balance does not cover a create', async () => {
    const none = await newAccount(api.database, { limits: { dailyEstimates: 1 } });
    expect((await estimate({}, {}, none.key)).status).toBe(200);
    expect((await estimate({}, {}, none.key)).status).toBe(200);
    const other = await estimate({ trial_seconds: 9 }, {}, none.key);
    expect([other.status, other.body.code]).toEqual([429, 'USAGE_CAP_EXCEEDED']);
    expect(Number(other.headers['retry-after'])).toBeGreaterThan(0);
    const poor = await newAccount(api.database, { limits: { dailyCapMicroUsd: 1_500_000n } });
    desk.asked.length = 0;
    const refused = await estimate({}, {}, poor.key);
    expect([refused.status, refused.body.code]).toEqual([402, 'BUDGET_EXCEEDED']);
    expect(desk.asked).toEqual([]);
  });

  it('keeps its Idempotency-Key free until it is ready; then the answer is final', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    expect((await estimate({}, headers)).body.ready).toBe(false);
    ready();
    const first = await estimate({}, headers);
    expect([first.body.ready, first.headers['idempotent-replayed']]).toEqual([true, undefined]);
    desk.fitIs({});
    const again = await estimate({}, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
  });

  it('costs nothing with a test key', async () => {
    const test = await newAccount(api.database, { key: { mode: 'test' } });
    const { body: told } = await estimate({}, {}, test.key);
    expect(told).toMatchObject({ create_usd: '0.00', hosting_usd_per_month: '0.00' });
  });
});

describe('the reason why an estimate is refused', () => {
  it('is first a task that the service does not support', async () => {
    for (const change of [
      { description: 'emotion recognition, eyes closed or open' },
      { description: 'eyes closed or open', classes: ['happy', 'sad'] },
    ]) {
      const reply = await estimate(change);
      expect([reply.status, reply.body.code]).toEqual([422, 'TASK_UNSUPPORTED']);
    }
    expect(desk.asked).toEqual([]);
  });

  it('is a task without recordings; the nearest tasks are offered, and are accepted', async () => {
    const change = { description: 'motor imagery', classes: ['left hand', 'right hand', 'tongue'] };
    const reply = await estimate(change);
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'NO_REFERENCE_DATA', 'classes']);
    const [nearest] = reply.body.alternatives;
    expect(nearest.classes).toEqual(['left fist imagined', 'right fist imagined']);
    expect((await estimate(nearest)).status).toBe(200);
    const far = await estimate({ description: 'music or silence', classes: null });
    expect(far.body).toMatchObject({ code: 'NO_REFERENCE_DATA', field: 'description', alternatives: [] });
  });

  it('is an ambiguous task; each of the alternatives is accepted and answered as chosen', async () => {
    const change = { description: 'left or right fist', classes: ['left', 'right'] };
    const reply = await estimate(change);
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'INVALID_REQUEST', 'reference_classes']);
    expect(reply.body.message).toContain('"left fist imagined"');
    expect(reply.body.alternatives).toHaveLength(2);
    for (const alternative of reply.body.alternatives) {
      const chosen = await estimate({ ...change, ...alternative });
      expect(chosen.body.reference_classes).toEqual(alternative.reference_classes);
    }
    const wrong = await estimate({
      ...change,
      reference_classes: { left: ref('eyes_open'), right: ref('eyes_closed') },
    });
    expect([wrong.status, wrong.body.field]).toEqual([422, 'reference_classes']);
    expect(wrong.body.alternatives).toEqual(reply.body.alternatives);
  });

  it('is a bound over people that does not clear chance, with the numbers', async () => {
    ready();
    desk.fitIs({ status: 'ready', result: { ...fit, evidence: { ...referenceEvidence, lowerBound: 0.4999 } } });
    const reply = await estimate();
    expect([reply.status, reply.body.code]).toEqual([422, 'NO_REFERENCE_DATA']);
    expect(reply.body.message).toMatch(/12 people.*0\.812.*0\.500/);
  });

  it('is a set of channels that the recordings lack', async () => {
    const reply = await estimate({ channels: ['AFF1h', 'AFF2h', 'Cz'] });
    expect([reply.status, reply.body.code, reply.body.field]).toEqual([422, 'NO_REFERENCE_DATA', 'channels']);
  });

  it.each([
    ['NO_REFERENCE_DATA', 1e-4, {}, 'at least 0.5 s; 0.0001 s declared', 0.5],
    ['NO_REFERENCE_DATA', 3600, {}, 'at most 900 s; 3600 s declared', 60],
    ['INVALID_REQUEST', 600, { sampling_rate_hz: 5000 }, '9000000 numbers at 5000 Hz; a request holds', 266.66],
    ['INVALID_REQUEST', 900, { sampling_rate_hz: 128, channels: nineteen }, '4377600 numbers at 256 Hz', 822.36],
  ])('is a length of trials that cannot be read or sent: %s for %d s', async (code, seconds, change, words, mended) => {
    const reply = await estimate({ ...change, trial_seconds: seconds });
    expect(reply.body).toMatchObject({ code, field: 'trial_seconds', alternatives: [{ trial_seconds: mended }] });
    expect(reply.body.message).toContain(words);
    expect(desk.asked).toEqual([]);
    expect((await estimate({ ...change, trial_seconds: mended })).status).toBe(200);
  });

  it('is answered 503 where the preparation cannot be reached, and logs no word of the caller', async () => {
    desk.throws = new Error('no route');
    const reply = await estimate({ description: 'eyes closed or open, canary' });
    expect([reply.status, reply.body.code, reply.headers['retry-after']]).toEqual([503, 'POOL_UNAVAILABLE', '5']);
    expect(api.logged.join()).not.toContain('canary');
  });
});

describe('an estimate of labelled trials', () => {
  const trials = alphaTrials(6, channels);
  const labelled = (change: Record<string, unknown> = {}) => ({
    x: Buffer.from(trials.data.buffer).toString('base64'),
    shape: [trials.trials, channels.length, trials.samples],
    sampling_rate_hz: trials.rateHz,
    units: 'uV',
    channels,
    labels: Array.from({ length: trials.trials }, (_, trial) => (trial % 2 ? 'eyes open' : 'eyes closed')),
    description: 'resting state',
    ...change,
  });
  const ask = (change: Record<string, unknown> = {}) =>
    send(api.app, key, 'POST', path, { ...labelled(change), dry_run: true });
  const reference = ({ body: told }: Reply): string[] =>
    told.candidates.map(({ id }: { id: string }) => id).filter((id: string) => id.startsWith('reference-'));

  it('starts the preparation if the labels match, reports it, and is always ready', async () => {
    const reply = await ask();
    expect(reply.status, reply.text).toBe(200);
    expect(estimateAnswer.parse(reply.body)).toEqual(reply.body);
    expect(reply.body).not.toHaveProperty('ready');
    expect(reply.body.prior).toMatchObject({
      status: 'queued',
      preparation: { status: 'queued' },
      evidence: null,
      reference_classes: { 'eyes open': ref('eyes_open'), 'eyes closed': ref('eyes_closed') },
    });
    expect(desk.asked).toHaveLength(1);
    expect(reference(reply)).toEqual([]);
    const skipped = reply.body.skipped.find(({ id }: { id: string }) => id === 'reference-prior-wide');
    expect(skipped.reason).toContain('not prepared yet');
  });

  it('tries methods that start from other people once the recordings are ready', async () => {
    ready();
    desk.fitIs({ status: 'ready', result: { ...fit, evidence: { ...referenceEvidence, set: 'cov/4-40' } } });
    const reply = await ask();
    expect(reply.body.prior).toMatchObject({ status: 'ready', evidence: { people: 12 } });
    expect(reference(reply)).toContain('reference-prior-wide');
  });

  it('does not use them if nothing matches, if the match is ambiguous, or if they are unreachable', async () => {
    const none = await ask({ labels: labelled().labels.map((label) => (label === 'eyes open' ? 'a' : 'b')) });
    expect(none.body.prior).toMatchObject({ status: 'unmatched', reference_classes: null });
    const unclear = await ask({
      labels: labelled().labels.map((label) => (label === 'eyes open' ? 'left hand' : 'right hand')),
    });
    expect(unclear.body.prior.status).toBe('ambiguous');
    expect(desk.asked).toEqual([]);
    desk.throws = new Error('no route');
    expect((await ask()).body.prior.status).toBe('failed');
    desk.throws = null;
    ready();
    desk.fitIs({ status: 'ready', result: { ...fit, evidence: { ...referenceEvidence, lowerBound: 0.49 } } });
    expect((await ask()).body.prior.status).toBe('unusable');
  });

  it('starts nothing where the allowance is used up, or the balance does not cover a create', async () => {
    for (const [limits, code] of [
      [{ dailyEstimates: 0 }, 'USAGE_CAP_EXCEEDED'],
      [{ dailyCapMicroUsd: 1_500_000n }, 'BUDGET_EXCEEDED'],
    ] as const) {
      const { key: own } = await newAccount(api.database, { limits });
      const refused = await send(api.app, own, 'POST', path, { ...labelled(), dry_run: true });
      expect(refused.body.code).toBe(code);
    }
    expect(desk.asked).toEqual([]);
  });

  it('lets the create work without them, and starts nothing', async () => {
    const made = await send(api.app, key, 'POST', path, labelled());
    expect(made.status, made.text).toBe(201);
    expect(made.body).not.toHaveProperty('mode');
    expect(desk.asked).toEqual([]);
    const skipped = made.body.training_report.methods.find(({ id }: { id: string }) => id === 'reference-prior-wide');
    expect(skipped).toMatchObject({ status: 'skipped', reason: expect.stringContaining('not prepared yet') });
  });
  it('lets the create continue without them if the fit on other people is gone', async () => {
    ready();
    const evidence = { ...referenceEvidence, set: 'cov/4-40' };
    desk.fitIs({ status: 'ready', result: { ...fit, ref: `${fit.ref}-gone`, evidence } });
    const made = await send(api.app, key, 'POST', path, labelled());
    expect(made.status, made.text).toBe(201);
    const { methods } = made.body.training_report;
    for (const id of ['reference-prior-wide', 'reference-ridge-wide'])
      expect(methods.find((row: { id: string }) => row.id === id)).toMatchObject({
        status: 'skipped',
        reason: 'needs recordings of other people; what was learned from them was removed meanwhile',
      });
    expect(methods.filter(({ status }: { status: string }) => status === 'failed')).toEqual([]);
  });
  it('does not use them in a deferred fit of trials that begin before their cue', async () => {
    ready();
    desk.fitIs({ status: 'ready', result: { ...fit, evidence: { ...referenceEvidence, set: 'erp/windows' } } });
    const labels = labelled().labels.map((label) => (label === 'eyes open' ? 'target' : 'non-target'));
    const change = { labels, description: 'P300', defer_fit: true, parameters: { baseline_seconds: 0.2 } };
    const { body: collecting } = await send(api.app, key, 'POST', path, labelled(change));
    const made = await send(api.app, key, 'POST', `${path}/${collecting.id}/fit`);
    expect(made.status, made.text).toBe(200);
    const rows: { id: string }[] = made.body.training_report.methods;
    const reason = expect.stringContaining('these begin 0.2 s before it');
    expect(rows.find(({ id }) => id === 'reference-prior-means')).toMatchObject({ status: 'skipped', reason });
  });
});
