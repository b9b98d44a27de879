import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EegError, EegTaskClassifier, NotFoundError, type CreateInput } from '../../clients/typescript/src/index.ts';
import { childEnvironment } from '../../infra/drivers/config.ts';
import { newAccount, startTestApi, type TestApi } from '../support/api.ts';
import { snippetsOf } from '../support/readme-snippets.ts';
import { storeReferenceFit } from '../support/reference-fit.ts';
import { createTestDesk } from '../support/reference-desk.ts';
import { channels, labels, nested } from '../support/requests.ts';

const signal = { sampling_rate_hz: 100, units: 'uV', channels } as const;
const task = { ...signal, description: 'imagined movement: left hand or right hand', labels };
const x = nested();

let api: TestApi;
let baseUrl: string;
beforeAll(async () => {
  const reference = createTestDesk();
  api = await startTestApi({ reference }, { inProcess: true });
  reference.preparationIs({ status: 'ready' });
  reference.fitIs({ status: 'ready', result: await storeReferenceFit(api.deps.objects, ['O1', 'Oz', 'O2']) });
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
});
afterAll(() => api.close());

async function newClient(mode: 'live' | 'test' = 'live') {
  const { key } = await newAccount(api.database, { key: { mode } });
  return { eeg: new EegTaskClassifier({ apiKey: key, baseUrl }), key };
}

describe('the TypeScript client at a real service', () => {
  it('estimates, creates once under repeated requests, predicts, lists, renames, deletes; usage shows the cost', async () => {
    const { eeg } = await newClient();
    const input: CreateInput = { ...task, x, name: 'first' };
    expect((await eeg.estimate(input)).create_usd).toBe('1.00');
    const model = await eeg.create(input, { maxUsd: 2, idempotencyKey: 'mine' });
    expect(await eeg.create(input, { idempotencyKey: 'mine' })).toEqual(model);
    expect(model.training_report!.methods.length).toBeGreaterThan(3);
    const nestedAnswer = await eeg.predict(model, { ...signal, x });
    const shape = [x.length, channels.length, x[0][0].length];
    const typed = await eeg.predict(model.id, { ...signal, x: new Float32Array(x.flat(2)), shape });
    expect(typed.data).toEqual(nestedAnswer.data);
    expect(typed.data.map(({ index }) => index)).toEqual(labels.map((_, trial) => trial));
    expect(await eeg.models.update(model, { name: 'second' })).toMatchObject({ id: model.id, name: 'second' });
    const other = await eeg.createDeferred({ ...task, x });
    const ids: string[] = [];
    for await (const { id } of eeg.models.list({ limit: 1 })) ids.push(id);
    expect(ids).toEqual([other.id, model.id]);
    for (const { id } of [other, model]) expect((await eeg.models.delete(id)).status).toBe('deleted');
    const gone: unknown = await eeg.models.get(model).catch((error: unknown) => error);
    expect(gone).toBeInstanceOf(NotFoundError);
    expect((gone as NotFoundError).details.status).toBe('deleted');
    expect((await eeg.usage()).month!.usd).toBe('2.108');
    expect((await eeg.status()).serving).toBe(true);
  });

  it('collects batches and fits them', async () => {
    const { eeg } = await newClient('test');
    const model = await eeg.createDeferred({ ...task, x });
    const { trials_per_class: counts } = await eeg.addTrials(model, { ...signal, labels, x });
    expect(counts).toEqual({ left: labels.length, right: labels.length });
    expect(await eeg.fit(model)).toMatchObject({ status: 'active', training_report: { trials: 2 * labels.length } });
  });

  it('names the part of a request at fault, with its fix', async () => {
    const { eeg } = await newClient();
    const wrong = eeg.create({ ...task, x, channels: ['C3', 'Cz', 'Q9'] });
    const error: unknown = await wrong.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EegError);
    expect(error).toMatchObject({ name: 'InvalidRequestError', code: 'INVALID_REQUEST', field: 'channels[2]' });
    expect((error as EegError).requestId).toMatch(/^\S{8,}$/);
  });

  it('does everything that its README shows, in one program', async () => {
    const { key } = await newClient('test');
    const snippets = await snippetsOf(new URL('../../clients/typescript/README.md', import.meta.url), 'in a browser');
    expect(snippets.length).toBeGreaterThanOrEqual(7);
    const client = new URL('../../clients/typescript/src/index.ts', import.meta.url).href;
    const folder = await mkdtemp(join(tmpdir(), 'eeg-readme-'));
    try {
      const program = join(folder, 'readme.ts');
      await writeFile(program, snippets.join('\n').replaceAll("'eeg-task-classifier-client'", `'${client}'`));
      const env = childEnvironment({ EEG_API_KEY: key, EEG_BASE_URL: baseUrl });
      const { stdout } = await promisify(execFile)(process.execPath, [program], { env, timeout: 120_000 });
      expect(stdout).toMatch(/: \d[\d.]* on held-out trials, chance is 0.5/);
      expect(stdout).toContain('The model is deleted');
      expect(stdout).toContain('eyes_open');
      expect(stdout).not.toContain(key);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
