import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import { httpClient, type HttpReply } from '../support/http-client.ts';
import { modelMissing, modelsFolder } from '../support/published-models.ts';
import { simulatedNights } from '../support/simulated-nights.ts';
import { admin, adminKey, newDataDir, runMain, type Program } from '../support/stack.ts';

const models = '/v1/task-models';
const method = 'robust-sleep-net-logistic';
const { file } = modelOf('robust-sleep-net');
const pin = `weights:robust-sleep-net@${file.sha256}`;
const description = 'sleep stages of nights: N3 or W';

/** A request of simulated nights. */
function bodyOf({ nights = 2, seed = 1 } = {}) {
  const { trials, labels, sessions } = simulatedNights({ nights, epochs: 16, seed });
  const x = Buffer.from(trials.data.buffer).toString('base64');
  const shape = [trials.trials, trials.channels, trials.samples];
  const signal = { x, shape, sampling_rate_hz: 256, units: 'uV', channels: trials.channelNames };
  return { signal, labels, labelled: { ...signal, labels, sessions: sessions.map((name) => `${name} of ${seed}`) } };
}

describe.skipIf(modelMissing('robust-sleep-net'))('npm start with and without weights of pretrained models', () => {
  let data: Awaited<ReturnType<typeof newDataDir>>;
  let folder: string;
  let empty: string;
  let stack: Program;
  let key = '';
  let client: ReturnType<typeof httpClient>;
  let collecting = '';

  const start = async (store: string): Promise<void> => {
    await stack?.interrupt();
    stack = runMain('start', [], { DATA_DIR: data.path, MODEL_STORE_URL: store });
    const url = (await stack.says(/API\s+(http:\S+)/))[1]!;
    if (!key) {
      const made = await adminKey(data.path);
      await admin(data.path, 'account', 'credit', '--account', made.accountId, '--usd', '20');
      ({ key } = made);
    }
    client = httpClient(url, key);
  };
  const installed = pathToFileURL(modelsFolder).href;

  beforeAll(async () => {
    data = await newDataDir();
    folder = mkdtempSync(join(tmpdir(), 'eeg-models-'));
    // A folder of its own: where none is named, the user's cache may hold weights.
    empty = pathToFileURL(join(folder, 'empty')).href;
    mkdirSync(join(folder, 'empty'));
  });
  afterAll(async () => {
    await stack?.interrupt();
    await data?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  let requests = 0;
  const post = async (path: string, body: unknown, status: number): Promise<HttpReply> => {
    const reply = await client.untilAnswered(path, body, `request-${requests++}`);
    expect(reply.status, JSON.stringify(reply.body).slice(0, 600)).toBe(status);
    return reply;
  };
  /** Row of the encoder's candidate in the report of a create. */
  const created = async () => {
    const { body } = await post(models, { description, ...bodyOf().labelled }, 201);
    return body.training_report.methods.find(({ id }: { id: string }) => id === method);
  };
  const standing = async (of = client) =>
    (await of.send('GET', '/v1/status')).body.pretrained_models.find(
      ({ id }: { id: string }) => id === 'robust-sleep-net',
    );
  const pinned = async (store: string) => {
    const program = runMain('admin', ['models', 'pinned'], { DATA_DIR: data.path, MODEL_STORE_URL: store });
    expect(await program.exit, program.output()).toBe(0);
    return JSON.parse(program.output());
  };

  it('tries the encoder if its weights are installed, and stores its features of batches', async () => {
    await start(installed);
    expect(await standing()).toMatchObject({ status: 'ready', reason: null });
    const row = await created();
    expect(row).toMatchObject({ status: 'scored', reason: null, balanced_accuracy_aligned: expect.any(Number) });
    expect(row.balanced_accuracy).toBeGreaterThan(0.8);
    collecting = (await post(models, { description, defer_fit: true, ...bodyOf({ nights: 1 }).labelled }, 201)).body.id;
    const held = { pin, batches: 1, held: true };
    expect((await pinned(installed)).pins).toContainEqual(expect.objectContaining(held));
  }, 300_000);

  it('without them it uses other candidates, says so, and names the models that it cannot serve', async () => {
    await start(empty);
    expect(stack.output()).toContain(`cannot serve model ${collecting}: it needs the weights of robust-sleep-net with`);
    expect(await standing()).toMatchObject({ status: 'not_installed', reason: 'weights not installed' });
    expect(await created()).toMatchObject({ status: 'skipped', reason: 'not tried: weights not installed' });
    const refused = await post(`${models}/${collecting}/trials`, bodyOf({ nights: 1, seed: 2 }).labelled, 502);
    expect(refused.body.message).toContain('needs the weights of robust-sleep-net with sha256');
    const { pins, unservable } = await pinned(empty);
    expect(pins).toContainEqual(expect.objectContaining({ pin, held: false }));
    expect(unservable).toContainEqual(expect.objectContaining({ model_id: collecting }));
  }, 300_000);

  it('names a file that is not the published one, executes nothing of it, and works without it', async () => {
    const bytes = readFileSync(join(modelsFolder, file.folder, file.path));
    bytes[bytes.length >> 1]! ^= 1;
    mkdirSync(join(folder, file.folder), { recursive: true });
    writeFileSync(join(folder, file.folder, file.path), bytes);
    await start(pathToFileURL(folder).href);
    expect(stack.output()).toMatch(
      /The weights of robust-sleep-net are not used\. \S+best_model\.gz is not the published file: its SHA-256 is/,
    );
    const reason = 'weights not installed, and what lies in their place cannot be used';
    expect(await standing()).toMatchObject({ status: 'not_installed', reason });
    expect(await created()).toMatchObject({ status: 'skipped', reason: `not tried: ${reason}` });
  }, 300_000);

  it('serves as before with the weights back, though MODELS_ENABLED or a command line leaves them out', async () => {
    await start(installed);
    expect(stack.output()).not.toContain('cannot serve');
    await post(`${models}/${collecting}/trials`, bodyOf({ nights: 1, seed: 2 }).labelled, 200);
    const fitted = await post(`${models}/${collecting}/fit`, undefined, 200);
    const row = fitted.body.training_report.methods.find(({ id }: { id: string }) => id === method);
    expect(row).toMatchObject({ status: 'scored' });
    const { signal, labels } = bodyOf({ nights: 1, seed: 9 });
    for (const align of ['none', 'batch']) {
      const { body } = await post(`${models}/${collecting}/predictions`, { ...signal, align }, 200);
      expect(body.data).toHaveLength(labels.length);
    }
    const other = runMain('api', [], { DATA_DIR: data.path, MODEL_STORE_URL: installed, MODELS_ENABLED: 'none' });
    const url = (await other.says(/API\s+(http:\S+)/))[1]!;
    expect(await standing(httpClient(url, key))).toMatchObject({
      status: 'off',
      reason: 'switched off: MODELS_ENABLED does not name it',
    });
    const answer = await httpClient(url, key).send('POST', `${models}/${collecting}/predictions`, signal);
    expect(answer.status).toBe(200);
    await post(models, { description, defer_fit: true, ...bodyOf({ nights: 1 }).labelled }, 201);
    const { pins, processes, unservable } = await pinned(empty);
    expect(pins).toContainEqual(expect.objectContaining({ pin, held: true }));
    expect(unservable).toEqual([]);
    expect(processes).toEqual(
      ['api', 'api', 'worker'].map((role) => expect.objectContaining({ role, weights: expect.arrayContaining([pin]) })),
    );
    expect(await other.interrupt()).toBe(0);
    expect((await pinned(empty)).processes).toHaveLength(2);
  }, 300_000);
});
