import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { createTestDesk, type TestDesk } from '../support/reference-desk.ts';
import { alphaTrials, referenceEvidence, referencePersonTrials, storeReferenceFit } from '../support/reference-fit.ts';

const path = '/v1/task-models';
const channels = ['O1', 'Oz', 'O2'];
const trials = alphaTrials(6, channels);
const labelled = {
  x: Buffer.from(trials.data.buffer).toString('base64'),
  shape: [trials.trials, channels.length, trials.samples],
  sampling_rate_hz: trials.rateHz,
  units: 'uV',
  channels,
  labels: Array.from({ length: trials.trials }, (_, trial) => (trial % 2 ? 'eyes open' : 'eyes closed')),
  description: 'resting state',
};

let api: TestApi;
let desk: TestDesk;
let key: string;
let fit: Awaited<ReturnType<typeof storeReferenceFit>>;
beforeAll(async () => {
  desk = createTestDesk();
  api = await startTestApi({ reference: desk }, { inProcess: true });
  fit = await storeReferenceFit(api.deps.objects, channels);
  ({ key } = await newAccount(api.database));
});
afterAll(() => api.close());

it('has the fit made by a create if the people are prepared, without an estimate before', async () => {
  desk.preparationIs({ status: 'ready', people: { used: 12, own: 0, missing: 93, faulty: 0 } });
  desk.fitIs({ status: 'queued', due: true });
  const result = { ...fit, evidence: { ...referenceEvidence, set: 'cov/4-40' } };
  const fitOf = desk.fit;
  desk.fit = async (wanted, asking) => {
    const state = await fitOf.call(desk, wanted, asking);
    if (asking.start) desk.fitIs({ status: 'ready', result });
    return state;
  };
  const made = await send(api.app, key, 'POST', path, labelled);
  expect(made.status, made.text).toBe(201);
  expect(desk.asked, 'no recordings are downloaded').toEqual([]);
  expect(desk.fits[0]).toMatchObject({ task: 'eyes-open-closed' });
  const { methods } = made.body.training_report;
  expect(methods.find(({ id }: { id: string }) => id === 'reference-prior-wide')).toMatchObject({ status: 'scored' });
  expect(made.body.training_report.warnings.join(' ')).not.toContain('Your trials look like recordings');
});

it('leaves out of the prior a person whose recordings are sent', async () => {
  const { data, trials: count, samples, rateHz, perClass } = referencePersonTrials(channels, 2);
  const made = await send(api.app, key, 'POST', path, {
    ...labelled,
    x: Buffer.from(data.buffer).toString('base64'),
    shape: [count, channels.length, samples],
    sampling_rate_hz: rateHz,
    labels: Array.from({ length: count }, (_, trial) => (trial < perClass ? 'eyes open' : 'eyes closed')),
  });
  expect(made.status, made.text).toBe(201);
  const { methods, warnings } = made.body.training_report;
  expect(warnings.join(' ')).toMatch(
    /Your trials look like recordings of people .*\(P2\).*learned from \d+ others only/,
  );
  expect(methods.find(({ id }: { id: string }) => id === 'reference-prior-wide')).toMatchObject({ status: 'scored' });
});
