import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivityThreads } from '../../activities/compute/pool.ts';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import type { Config } from '../../infra/drivers/config.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { ThreadLost } from '../../infra/drivers/threads/messages.ts';
import type { Services } from '../../infra/drivers/threads/ask.ts';
import { createEncoders, type CallLimits, type ProcessEncoders } from '../../infra/encoders/create-encoders.ts';
import { findWeights, openEncoders, statusNow } from '../../infra/main/encoders.ts';
import { logUnservable } from '../../infra/main/unservable.ts';
import { silentLog, textLog } from '../../infra/observe/log.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { reportWeights } from '../../infra/records/weights-reports.ts';
import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import { setInstalledWeights } from '../../ml/encoders/installed-weights.ts';
import { installedWeightsPins } from '../../ml/pins/index.ts';
import { openAdmin } from '../support/admin.ts';
import { newAccount, send, startTestApi, type Reply, type TestAccount, type TestApi } from '../support/api.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { modelMissing, modelsFolder } from '../support/published-models.ts';
import { simulatedNights } from '../support/simulated-nights.ts';

const path = '/v1/task-models';
const method = 'robust-sleep-net-logistic';
const { file } = modelOf('robust-sleep-net');
const { sha256 } = file;
const needs = [`the weights of robust-sleep-net with sha256 ${sha256!.slice(0, 12)}…`];

/** What a request says of simulated nights. */
function bodyOf({ nights = 2, epochs = 12, seed = 1, first = 0 } = {}) {
  const { trials, labels, sessions } = simulatedNights({ nights, epochs, seed });
  const x = Buffer.from(trials.data.buffer).toString('base64');
  const shape = [trials.trials, trials.channels, trials.samples];
  const signal = { x, shape, sampling_rate_hz: 256, units: 'uV', channels: trials.channelNames };
  const named = sessions.map((session) => `${session} of ${first}`);
  return { signal, labelled: { ...signal, labels, sessions: named }, labels };
}
const encodeOf = (encoders: ProcessEncoders, limits?: CallLimits): Services[string] =>
  encoders.servicesFor(limits)['encode']!;
const description = 'sleep stages of nights: N3 or W';

describe.skipIf(modelMissing('robust-sleep-net'))('models on embeddings of a pretrained encoder', () => {
  const empty = mkdtempSync(join(tmpdir(), 'no-models-'));
  /** What an API finds that begins now, and says. */
  const found = async (folder: string, modelsEnabled: readonly string[] | null = null) => {
    const config = { modelStoreUrl: pathToFileURL(folder).href, modelsEnabled, cacheDir: empty } as unknown as Config;
    const models = await findWeights(config, silentLog);
    if (api) await said();
    return models;
  };
  const said = async () =>
    await reportWeights(api.database.pool, { process: 'the api', role: 'api', weights: installedWeightsPins() });
  let api: TestApi;
  let account: TestAccount;
  let close: () => Promise<unknown>;
  /** What serves the threads; tests put others in its place. */
  let encode: Services[string];
  let tried = [method];

  beforeAll(async () => {
    const models = await found(modelsFolder);
    const whole = openEncoders('worker', models, { compiledDir: empty }, silentLog);
    encode = encodeOf(whole);
    const services: Services = { encode: (call, asking) => encode(call, asking) };
    const threads = createActivityThreads(1, { services });
    api = await startTestApi(
      { models: () => statusNow(models) },
      {
        services,
        threads: 2,
        jobs: (parts) =>
          fitInProcess({ ...parts, threads }, ({ candidates }) => candidates.filter(({ id }) => tried.includes(id))),
      },
    );
    account = await newAccount(api.database);
    const { accountId } = account;
    await transaction(api.database.pool, async (sql) => {
      await credit(sql, { accountId, amount: 20_000_000n, source: 'operator', at: new Date() });
    });
    close = async () => await Promise.all([api.close(), threads.close(), whole.close()]);
  });
  afterAll(async () => {
    await close();
    setInstalledWeights([]);
    rmSync(empty, { recursive: true, force: true });
  });

  const post = async (url: string, body?: unknown, headers?: Record<string, string>): Promise<Reply> =>
    await send(api.app, account.key, 'POST', url, body, headers);
  const predict = async (id: string, body: object, headers?: Record<string, string>): Promise<Reply> =>
    await post(`${path}/${id}/predictions`, body, headers);
  const create = async (change: object = {}): Promise<Reply> => {
    const reply = await post(path, { description, ...bodyOf().labelled, ...change });
    expect(reply.status, reply.text).toBe(201);
    return reply;
  };
  /** Share of trials whose label is right. */
  const rightOf = ({ body }: Reply, labels: readonly string[]): number =>
    labels.filter((label, i) => body.data[i].label === label).length / labels.length;
  const pinned = async () => JSON.parse((await runAdmin(['models', 'pinned'], openAdmin(api.database.pool))).out!);

  it('are fitted, reported, and answer trials as a batch and each alone', async () => {
    const { body } = await create();
    expect(body.training_report).toMatchObject({ method, balanced_accuracy_aligned: expect.any(Number) });
    const { signal, labels } = bodyOf({ nights: 1, seed: 9 });
    const answers: Reply[] = [];
    for (const align of ['none', 'batch']) {
      const answer = await predict(body.id, { ...signal, align });
      expect(answer.status, answer.text).toBe(200);
      expect(rightOf(answer, labels)).toBeGreaterThan(0.7);
      answers.push(answer);
    }
    const one = bodyOf({ nights: 1, seed: 9 }).signal;
    const [, channels, samples] = one.shape;
    const x = Buffer.from(one.x, 'base64')
      .subarray(0, 4 * channels! * samples!)
      .toString('base64');
    const alone = await predict(body.id, { ...one, x, shape: [1, channels, samples], align: 'none' });
    expect(alone.status, alone.text).toBe(200);
    const { N3 } = alone.body.data[0].probabilities;
    expect(N3).toBeCloseTo(answers[0]!.body.data[0].probabilities.N3, 5);
  });

  it('are fitted on batches that were stored one by one', async () => {
    const { body } = await post(path, { description, defer_fit: true, ...bodyOf({ nights: 1 }).labelled });
    const second = bodyOf({ nights: 1, seed: 2, first: 1 });
    const added = await post(`${path}/${body.id}/trials`, second.labelled);
    expect(added.status, added.text).toBe(200);
    const fitted = await post(`${path}/${body.id}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    expect(fitted.body.training_report.method).toBe(method);
    const { signal, labels } = bodyOf({ nights: 1, seed: 9 });
    for (const align of ['none', 'batch'])
      expect(rightOf(await predict(body.id, { ...signal, align }), labels)).toBeGreaterThan(0.7);
  });

  it('are refused while the encoder is being loaded and if loading fails; a create continues without it', async () => {
    const { id } = (await create()).body;
    const whole = encode;
    const held = [{ id: 'robust-sleep-net', hash: sha256!, path: join(modelsFolder, file.folder, file.path) }];
    const { signal } = bodyOf({ nights: 1, seed: 9 });
    const few = bodyOf({ nights: 1, epochs: 4 }).signal;
    const funds = await balance(api.database.pool, account.accountId);

    const slow = createEncoders({ weights: held });
    encode = encodeOf(slow, { maxWaitMs: 0 });
    const again = { 'idempotency-key': 'while-loading' };
    const early = await predict(id, few, again);
    expect(early.status, early.text).toBe(503);
    expect(early.body.code).toBe('POOL_UNAVAILABLE');
    expect(early.headers['retry-after']).toBe('2');
    await slow.close();

    const path = join(empty, 'gone.gz');
    const broken = createEncoders({ weights: held.map((each) => ({ ...each, path })) });
    encode = encodeOf(broken);
    for (const sent of [few, signal]) {
      api.logged.length = 0;
      const refused = await predict(id, sent);
      expect(refused.status, refused.text).toBe(502);
      expect(refused.body.message).toBe('The pretrained encoder robust-sleep-net cannot be used: it cannot be loaded.');
      expect(refused.text).not.toContain(empty);
      expect(api.logged.join('\n')).toContain(`${path} cannot be read: ENOENT`);
    }
    expect(await balance(api.database.pool, account.accountId)).toEqual(funds);
    tried = [method, 'sleep-logistic'];
    const { methods } = (await create()).body.training_report;
    const reason = 'The pretrained encoder robust-sleep-net cannot be used: it cannot be loaded.';
    expect(methods).toContainEqual(expect.objectContaining({ id: method, status: 'failed', reason }));
    expect(methods).toContainEqual(expect.objectContaining({ id: 'sleep-logistic', status: 'scored' }));
    await broken.close();
    [encode, tried] = [whole, [method]];
    expect((await predict(id, few, again)).status).toBe(200);
  });

  it('delay no other request, however many requests of an account wait for the encoder', async () => {
    const { id } = (await create()).body;
    const few = bodyOf({ nights: 1, epochs: 4 }).signal;
    const [whole, gate, accounts] = [encode, Promise.withResolvers<void>(), new Set<string | undefined>()];
    let calls = 0;
    encode = async (call, asking) => {
      calls += 1;
      accounts.add(asking.account);
      await gate.promise;
      return await whole(call, asking);
    };
    const waiting = Array.from({ length: 4 }, () => predict(id, few));
    await expect.poll(() => calls).toBe(1);
    const other = await newAccount(api.database);
    const dry = { description, dry_run: true, ...bodyOf().labelled };
    expect((await send(api.app, other.key, 'POST', path, dry)).status).toBe(200);
    expect(calls).toBe(1);
    gate.resolve();
    for (const { status, text } of await Promise.all(waiting)) expect(status, text).toBe(200);
    expect([...accounts]).toEqual([account.accountId]);
    encode = whole;
  });

  it('are asked to retry if a thread of the encoders was lost, and lose nothing', async () => {
    const { id } = (await create()).body;
    const whole = encode;
    encode = () => Promise.reject(new ThreadLost('A worker thread ended.', { reason: 'overdue' }));
    const { signal, labelled } = bodyOf({ nights: 1, epochs: 4 });
    for (const refused of [
      await predict(id, signal),
      await post(path, { description, defer_fit: true, ...labelled }),
    ]) {
      expect(refused.status, refused.text).toBe(503);
      expect(refused.body).toMatchObject({
        code: 'POOL_UNAVAILABLE',
        message: expect.stringContaining('took a thread longer'),
      });
      expect(refused.headers['retry-after']).toBe('2');
    }
    encode = whole;
    expect((await predict(id, signal)).status).toBe(200);
  });

  it('are not fitted if the encoder could not read the first batch: the model is fitted without it', async () => {
    const whole = encode;
    const broken = createEncoders({
      weights: [{ id: 'robust-sleep-net', hash: sha256!, path: join(empty, 'gone.gz') }],
    });
    encode = encodeOf(broken);
    const first = await post(path, { description, defer_fit: true, ...bodyOf({ nights: 1 }).labelled });
    expect(first.status, first.text).toBe(201);
    expect(first.body.signal.warnings).toContainEqual(
      expect.stringMatching(
        /^This model is fitted without robust-sleep-net, .* robust-sleep-net cannot be used: it cannot be loaded\.$/,
      ),
    );
    await broken.close();
    [encode, tried] = [whole, [method, 'sleep-logistic']];
    const added = await post(`${path}/${first.body.id}/trials`, bodyOf({ nights: 1, seed: 2, first: 1 }).labelled);
    expect(added.status, added.text).toBe(200);
    const fitted = await post(`${path}/${first.body.id}/fit`);
    expect(fitted.status, fitted.text).toBe(200);
    tried = [method];
    const { methods, warnings } = fitted.body.training_report;
    expect(fitted.body.training_report.method).toBe('sleep-logistic');
    const reason = 'needs what robust-sleep-net makes of the trials, and the first batch was stored without it';
    expect(methods).toContainEqual(expect.objectContaining({ id: method, reason }));
    expect(warnings).toContainEqual(expect.stringContaining('robust-sleep-net cannot be used: it cannot be loaded'));
  });

  it('are named, refused before their trials are read, and not billed while their weights are gone', async () => {
    const { id } = (await create()).body;
    const collecting = (await post(path, { description, defer_fit: true, ...bodyOf({ nights: 1 }).labelled })).body.id;
    const { signal } = bodyOf({ nights: 1, seed: 9 });
    const before = (await predict(id, { ...signal, align: 'none' })).body.data;
    const pin = { pin: `weights:robust-sleep-net@${sha256}`, held: true };
    expect((await pinned()).pins).toContainEqual(expect.objectContaining(pin));

    const models = await found(empty);
    const later = api.second({ models: () => models });
    const said: string[] = [];
    await logUnservable(
      api.database.pool,
      'API',
      textLog((line) => said.push(line)),
    );
    for (const each of [id, collecting])
      expect(said.join('\n')).toContain(`This API cannot serve model ${each}: it needs ${needs[0]}, which this API`);
    const { pins, unservable } = await pinned();
    expect(pins).toContainEqual(expect.objectContaining({ ...pin, held: false }));
    expect(unservable).toContainEqual({ model_id: id, account_id: account.accountId, needs });

    const funds = await balance(api.database.pool, account.accountId);
    for (const [url, sent] of [
      [`${path}/${id}/predictions`, signal],
      [`${path}/${id}/predictions`, '{"x":'],
      [`${path}/${collecting}/trials`, bodyOf({ nights: 1, seed: 3 }).labelled],
      [`${path}/${collecting}/fit`, undefined],
    ] as const) {
      const refused = await send(later, account.key, 'POST', url, sent);
      expect(refused.status, refused.text).toBe(502);
      expect(refused.body).toMatchObject({ code: 'BACKEND_FAILURE', details: { needs } });
      expect(refused.body.message).toContain(needs[0]);
    }
    expect(await balance(api.database.pool, account.accountId)).toEqual(funds);
    const due = (await readStored(api.database.pool, id))!.paidThrough!;
    const { happened } = await transaction(api.database.pool, async (sql) => await settleDue(sql, id, due));
    expect(happened).toEqual([`Hosting month 2 waived: the model needs ${needs[0]}, which this service does not have`]);
    const dry = { description, ...bodyOf().labelled, dry_run: true };
    const estimated = await send(later, account.key, 'POST', path, dry);
    expect(estimated.status, estimated.text).toBe(200);
    const reason = expect.stringMatching(/not tried: weights not installed$/);
    expect(estimated.body.skipped).toContainEqual(expect.objectContaining({ id: method, reason }));
    const { body: status } = await send(later, null, 'GET', '/v1/status');
    expect(status.pretrained_models).toContainEqual(
      expect.objectContaining({ id: 'robust-sleep-net', status: 'not_installed', reason: 'weights not installed' }),
    );

    await found(modelsFolder);
    expect((await predict(id, { ...signal, align: 'none' })).body.data).toEqual(before);
    const next = (await readStored(api.database.pool, id))!.paidThrough!;
    expect((await transaction(api.database.pool, async (sql) => await settleDue(sql, id, next))).happened).toEqual([
      'Hosting month 3 charged',
    ]);
    expect(await post(`${path}/${collecting}/trials`, bodyOf({ nights: 1, seed: 3, first: 1 }).labelled)).toMatchObject(
      {
        status: 200,
      },
    );
  });

  it('are answered and billed even if MODELS_ENABLED excludes the encoder for new creates', async () => {
    const { id } = (await create()).body;
    const models = await found(modelsFolder, []);
    const later = api.second({ models: () => statusNow(models) });
    const { signal } = bodyOf({ nights: 1, epochs: 4 });
    expect((await send(later, account.key, 'POST', `${path}/${id}/predictions`, signal)).status).toBe(200);
    const due = (await readStored(api.database.pool, id))!.paidThrough!;
    const { happened } = await transaction(api.database.pool, async (sql) => await settleDue(sql, id, due));
    expect(happened).toEqual(['Hosting month 2 charged']);
    const dry = { description, ...bodyOf().labelled, dry_run: true };
    const { skipped } = (await send(later, account.key, 'POST', path, dry)).body;
    const reason = expect.stringMatching(/not tried: switched off: MODELS_ENABLED does not name it$/);
    expect(skipped).toContainEqual(expect.objectContaining({ id: method, reason }));
    const { pretrained_models: shown } = (await send(later, null, 'GET', '/v1/status')).body;
    expect(shown).toContainEqual(expect.objectContaining({ id: 'robust-sleep-net', status: 'off' }));
  });

  it('are refused, and hosting is waived, after their file disappears from a running process, which logs that once', async () => {
    const { id } = (await create()).body;
    const own = join(empty, 'own');
    mkdirSync(own);
    cpSync(join(modelsFolder, file.folder), join(own, file.folder), { recursive: true });
    const models = await found(own);
    const running = api.second({ models: () => statusNow(models) });
    const warned: string[] = [];
    const before = encode;
    const losing = openEncoders('worker', models, { compiledDir: empty }, { warn: (line) => void warned.push(line) });
    encode = encodeOf(losing);
    rmSync(join(own, file.folder), { recursive: true });
    const { signal } = bodyOf({ nights: 1, epochs: 4 });
    const url = `${path}/${id}/predictions`;
    const refused = await Promise.all([1, 2].map(() => send(running, account.key, 'POST', url, signal)));
    refused.push(await send(running, account.key, 'POST', url, signal));
    expect(refused.map(({ status }) => status)).toEqual([502, 502, 502]);
    expect(refused[2]!.body.details).toMatchObject({ needs });
    expect(warned).toEqual([
      expect.stringMatching(
        /^The weights of robust-sleep-net are not used any more\. .* cannot be read: ENOENT\. Once/,
      ),
    ]);
    const { pretrained_models: shown } = (await send(running, null, 'GET', '/v1/status')).body;
    const reason = 'weights not installed: their file is gone or has changed since the process began';
    const status = 'not_installed';
    expect(shown).toContainEqual(expect.objectContaining({ id: 'robust-sleep-net', status, reason }));
    await said();
    const due = (await readStored(api.database.pool, id))!.paidThrough!;
    const { happened } = await transaction(api.database.pool, async (sql) => await settleDue(sql, id, due));
    expect(happened).toEqual([expect.stringMatching(/^Hosting month 2 waived: the model needs the weights of robust/)]);
    await losing.close();
    encode = before;
    await found(modelsFolder);
  });
});
