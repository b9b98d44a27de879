import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { decode } from '../../infra/drivers/codec.ts';
import { silentLog } from '../../infra/observe/log.ts';
import type { Config } from '../../infra/drivers/config.ts';
import { findWeights } from '../../infra/main/encoders.ts';
import { reportWeights } from '../../infra/records/weights-reports.ts';
import { setInstalledWeights } from '../../ml/encoders/installed-weights.ts';
import { installedWeightsPins } from '../../ml/pins/index.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import { electrodes, simulatedName, simulatedSketches, simulatedTrials } from '../ml/reference-people.ts';
import { newAccount, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { provideStandInMovement } from '../support/stand-in-movement.ts';

const path = '/v1/task-models';
const names = ['left', 'right'];
let api: TestApi;
let key: string;

beforeAll(async () => {
  const config = { modelStoreUrl: null, modelsEnabled: null, cacheDir: 'nowhere' } as unknown as Config;
  const models = await findWeights(config, silentLog);
  const tried = /^movement-(network|average)$/;
  api = await startTestApi(
    { models: () => models },
    {
      inProcess: true,
      jobs: (parts) =>
        fitInProcess(parts, ({ candidates }) => candidates.filter(({ id }, i) => i === 0 || tried.test(id))),
    },
  );
  await reportWeights(api.database.pool, { process: 'a worker', role: 'worker', weights: installedWeightsPins() });
  provideStandInMovement(undefined, simulatedSketches());
});
beforeEach(async () => {
  ({ key } = await newAccount(api.database));
});
afterAll(async () => {
  await api.close();
  setInstalledWeights([]);
});

const post = (body: object, url = path): Promise<Reply> => send(api.app, key, 'POST', url, body);

/** The recordings of simulated people, a session each. */
function bodyOf(...seeds: readonly number[]) {
  const each = seeds.map((seed) => simulatedTrials(seed, 0.5, 'motor'));
  const [{ trials: form }] = each as [(typeof each)[number]];
  const data = Float32Array.from(each.flatMap(({ trials }) => [...trials.data]));
  const signal = {
    x: Buffer.from(data.buffer).toString('base64'),
    shape: [each.length * form.trials, form.channels, form.samples],
    sampling_rate_hz: form.rateHz,
    units: 'uV',
    channels: electrodes,
  };
  const trials = {
    ...signal,
    description: 'motor imagery: left or right fist',
    labels: each.flatMap(({ labels }) => labels.map((label) => names[label]!)),
    ...(seeds.length > 1 ? { sessions: seeds.flatMap((seed) => Array(form.trials).fill(`person ${seed}`)) } : {}),
  };
  return { signal, trials };
}

/** The networks that the stored model reads; null: all. */
async function networksOf({ id, training_report }: Reply['body']): Promise<number[] | null> {
  const [object] = await api.deps.objects.list(`models/${id}`);
  const { head, members = [] } = decode<FittedModel>(await api.deps.objects.get(object!.name));
  const heads = (head['members'] as FittedModel['head'][] | undefined) ?? [head];
  const ids = members.length > 0 ? members.map((member) => member.id) : [training_report.method];
  const own = heads[ids.indexOf('movement-network')]!['representation'] as FittedModel['head'];
  return own['networks'] === undefined ? null : [...(own['networks'] as Int32Array)];
}

const rowOf = ({ training_report: { methods } }: Reply['body'], method: string) =>
  methods.find(({ id }: { id: string }) => id === method);

it.each([
  ['a create', false],
  ['a deferred fit', true],
])('%s from recordings of a training person reads the network of the fold alone', async (_, deferred) => {
  const made = await post({ ...bodyOf(3).trials, ...(deferred ? { defer_fit: true } : {}) });
  expect(made.status, made.text).toBe(201);
  const { body } = deferred ? await post({}, `${path}/${made.body.id}/fit`) : made;
  expect(rowOf(body, 'movement-network')).toMatchObject({ status: 'scored' });
  const warnings = body.training_report.warnings.join(' ');
  expect(warnings).toContain(`(${simulatedName(3)})`);
  expect(warnings).toContain('The movement network was tried with 1 of its 5 networks');
  expect(await networksOf(body)).toEqual([1]);
  const answer = await post(bodyOf(301).signal, `${path}/${body.id}/predictions`);
  expect(answer.status, answer.text).toBe(200);
});

it('a create of a new person reads all networks', async () => {
  const made = await post(bodyOf(301).trials);
  expect(made.status, made.text).toBe(201);
  expect(made.body.training_report.warnings.join(' ')).not.toContain('look like recordings');
  expect(await networksOf(made.body)).toBeNull();
});

it('a create from recordings of training people of two folds has no candidate of the network, and says why', async () => {
  const made = await post(bodyOf(1, 3).trials);
  expect(made.status, made.text).toBe(201);
  for (const method of ['movement-network', 'movement-average'])
    expect(rowOf(made.body, method)).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining(
        `did not learn from the people whom your trials resemble (${simulatedName(1)}, ${simulatedName(3)})`,
      ),
    });
  expect(made.body.training_report.network).toBeUndefined();
  expect(made.body.training_report.warnings.join(' ')).toContain('The movement network was left out');
});
