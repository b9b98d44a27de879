import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { zeroShotEstimate } from '../../api/contract/responses.ts';
import { silentLog } from '../../infra/observe/log.ts';
import type { Config } from '../../infra/drivers/config.ts';
import { findWeights } from '../../infra/main/encoders.ts';
import { readWeightsFile } from '../../infra/weights/read-weights-file.ts';
import { statusOfWeights } from '../../infra/weights/weights-status.ts';
import { reportWeights } from '../../infra/records/weights-reports.ts';
import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import { setInstalledWeights } from '../../ml/encoders/installed-weights.ts';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { installedWeightsPins } from '../../ml/pins/index.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { createTestDesk, type TestDesk } from '../support/reference-desk.ts';
import { handTrials } from '../support/hand-trials.ts';

const path = '/v1/task-models';
const channels = 'F7 F3 Fz F4 F8 T7 C3 Cz C4 T8 P7 P3 Pz P4 P8 O1 O2'.split(' ');
const zeroShot = {
  mode: 'zero_shot',
  description: 'motor imagery of the left or right fist',
  classes: ['left', 'right'],
  channels,
  sampling_rate_hz: 250,
  trial_seconds: 4,
};
const description = 'motor imagery: left or right hand';

let api: TestApi;
let desk: TestDesk;
let account: TestAccount;
const cacheDir = mkdtempSync(join(tmpdir(), 'no-downloads-'));

beforeAll(async () => {
  desk = createTestDesk();
  const config = { modelStoreUrl: null, modelsEnabled: null, cacheDir } as unknown as Config;
  const models = await findWeights(config, silentLog);
  api = await startTestApi(
    { reference: desk, models: () => models },
    {
      inProcess: true,
      jobs: (parts) =>
        fitInProcess(parts, ({ candidates }) =>
          candidates.filter(({ id }, i) => i === 0 || /^movement-(network|features|tangent)/.test(id)),
        ),
    },
  );
  await reportWeights(api.database.pool, { process: 'a worker', role: 'worker', weights: installedWeightsPins() });
});
afterAll(async () => {
  await api.close();
  setInstalledWeights([]);
  rmSync(cacheDir, { recursive: true, force: true });
});
beforeEach(async () => {
  desk.asked.length = 0;
  desk.fits.length = 0;
  desk.preparationIs({});
  account = await newAccount(api.database);
  await transaction(api.database.pool, (sql) =>
    credit(sql, { accountId: account.accountId, amount: 20_000_000n, source: 'operator', at: new Date() }),
  );
});

const post = (body: object, url = path): Promise<Reply> => send(api.app, account.key, 'POST', url, body);

describe('without own trials', () => {
  it('is ready at once, says what its score is of, and is hosted', async () => {
    const estimate = await post({ ...zeroShot, dry_run: true });
    expect(estimate.status, estimate.text).toBe(200);
    expect(zeroShotEstimate.parse(estimate.body)).toEqual(estimate.body);
    expect(estimate.body).toMatchObject({
      ready: true,
      evidence: {
        network: { id: 'movement', electrodes: expect.any(Array), card: '/docs/movement-network' },
        people: expect.any(Number),
        data_set: { id: 'eegmmidb' },
      },
    });
    expect(desk.asked, 'nothing is prepared').toEqual([]);
    const created = await post({ ...zeroShot, reference_classes: estimate.body.reference_classes });
    expect(created.status, created.text).toBe(201);
    expect(created.body.training_report).toMatchObject({ method: 'movement-network' });
    const { x, labels } = handTrials({ channels, trials: 20, seed: 3 });
    for (const align of ['none', 'batch']) {
      const answer = await post({ ...x, align }, `${path}/${created.body.id}/predictions`);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.data.map(({ label }: { label: string }) => label)).toHaveLength(labels.length);
    }
  });

  it('has recordings prepared where no montage of the card fits', async () => {
    const { body } = await post({ ...zeroShot, channels: ['O1', 'Oz', 'O2'], dry_run: true });
    expect(body).toMatchObject({ ready: false, preparation: { status: 'queued' } });
  });
});

describe('with own trials', () => {
  it('competes in a create without any estimate before', async () => {
    const { x, labels } = handTrials({ channels, trials: 40, seed: 5 });
    const created = await post({ description, ...x, labels });
    expect(created.status, created.text).toBe(201);
    const { methods } = created.body.training_report;
    const ids = methods
      .filter(({ status }: { status: string }) => status === 'scored')
      .map(({ id }: { id: string }) => id);
    expect(ids).toEqual(expect.arrayContaining(['movement-network', 'movement-tangent', 'movement-features-logistic']));
    const answer = await post(
      { ...handTrials({ channels, trials: 4, seed: 6 }).x },
      `${path}/${created.body.id}/predictions`,
    );
    expect(answer.status, answer.text).toBe(200);
  });

  it('competes in a deferred create', async () => {
    const { x, labels } = handTrials({ channels, trials: 24, seed: 7 });
    const first = await post({ description, ...x, labels, defer_fit: true });
    expect(first.status, first.text).toBe(201);
    const fitted = await post({}, `${path}/${first.body.id}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    const rows = fitted.body.training_report.methods;
    expect(rows.find(({ id }: { id: string }) => id === 'movement-network')).toMatchObject({ status: 'scored' });
  });

  it('reads the classes that are left after `ignore_classes`, whatever their order', async () => {
    const { x, labels } = handTrials({ channels, trials: 48, seed: 9 });
    const names: Record<string, string> = { left: 'left hand', right: 'Right hand' };
    const own = labels.map((label, t) => (t % 6 === 5 ? 'a break' : names[label]!));
    const first = await post({ description, ...x, labels: own, defer_fit: true });
    expect(first.status, first.text).toBe(201);
    const fitted = await post({ ignore_classes: ['a break'] }, `${path}/${first.body.id}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    const { methods, warnings } = fitted.body.training_report;
    const row = methods.find(({ id }: { id: string }) => id === 'movement-network');
    expect(row).toMatchObject({ status: 'scored' });
    expect(row.balanced_accuracy).toBeGreaterThan(0.6);
    expect(warnings.join()).not.toContain('swapped');
  });

  it('has features for other classes of movement, and nothing for other tasks', async () => {
    const { x, labels } = handTrials({ channels, trials: 24, seed: 8 });
    const named = (names: Record<string, string>) => labels.map((label) => names[label]!);
    const feet = await post({
      description: 'motor imagery: tongue or feet',
      ...x,
      labels: named({ left: 'tongue', right: 'feet' }),
      dry_run: true,
    });
    const ids = ({ body }: Reply): string[] => body.candidates.map(({ id }: { id: string }) => id);
    expect(ids(feet).filter((id) => id.startsWith('movement-'))).toEqual(['movement-features-logistic']);
    const eyes = await post({
      description: 'rest with eyes open or closed',
      ...x,
      labels: named({ left: 'eyes open', right: 'eyes closed' }),
      dry_run: true,
    });
    expect(ids(eyes).filter((id) => id.startsWith('movement-'))).toEqual([]);
  });
});

describe('a file of weights with one changed bit', () => {
  const own = fileURLToPath(new URL('../../ml/encoders/movement/weights.safetensors', import.meta.url));

  it('is refused by name at the start of a process', async () => {
    const { file, ...model } = modelOf('movement');
    const warned: string[] = [];
    const other = {
      ...model,
      file: { ...file, sha256: file.sha256!.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
    };
    const config = { modelStoreUrl: null, modelsEnabled: null, cacheDir };
    const [status] = await statusOfWeights(config, { warn: (line: string) => void warned.push(line) }, [other]);
    expect(status).toMatchObject({ status: 'not_installed', weights: null });
    expect(warned.join()).toContain(`The weights of movement are not used. ${own} is not the published file`);
  });

  it('beside it, in the sketches of the training people, takes the network from new models alone', async () => {
    const { file, ...model } = modelOf('movement');
    const warned: string[] = [];
    const beside = file.beside!.map((each) => ({ ...each, sha256: movementCard.sha256 }));
    const config = { modelStoreUrl: null, modelsEnabled: null, cacheDir };
    const log = { warn: (line: string) => void warned.push(line) };
    const [status] = await statusOfWeights(config, log, [{ ...model, file: { ...file, beside } }]);
    expect(status).toMatchObject({ status: 'not_installed', weights: { path: own, sha256: movementCard.sha256 } });
    expect(warned.join()).toMatch(/New models do not use movement. .*people.safetensors is not the published file/);
  });

  it('is refused by name when a thread reads it', () => {
    const copy = join(cacheDir, 'weights.safetensors');
    const bytes = readFileSync(own);
    writeFileSync(copy, bytes);
    expect(readWeightsFile(copy, movementCard.sha256)).toHaveLength(movementCard.bytes);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(copy, bytes);
    expect(() => readWeightsFile(copy, movementCard.sha256)).toThrow(`${copy} has changed`);
  });
});
