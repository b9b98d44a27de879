import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largeBody, percentile, upload } from '../../support/large-bodies.ts';
import { fillDatabase } from '../../support/filled-database.ts';
import { loadConfig } from '../../../infra/drivers/config.ts';
import { openObjects } from '../../../infra/main/servers.ts';
import { table } from '../tables.ts';
import { get, post, predictions, type Caller } from './callers.ts';
import { predicting, takeTurn, type Subject, type Turn } from './cells.ts';
import type { Checkout } from './checkout.ts';
import { startLoadProcess, type LoadProcess } from './load.ts';
import { residentMebibytes } from './processor.ts';

/** What else is measured of a service that hosts models of `callers`. */
export interface Measuring {
  readonly service: Checkout;
  readonly callers: readonly Caller[];
  readonly load: LoadProcess;
  readonly bodies: { readonly create: object; readonly predict: Buffer };
}

const seconds = 1_000;

/** Creates a minute, some at a time. */
export async function createsAMinute({ service, callers, load, bodies }: Measuring): Promise<string> {
  const body = Buffer.from(JSON.stringify(bodies.create));
  const requests = callers.slice(0, 10).map(({ key }) => post('/v1/task-models', body, `Bearer ${key}`));
  const rows = [];
  for (const connections of [1, 4]) {
    const subject: Subject = {
      name: 'creates',
      pid: service.workerPid,
      postmaster: service.postmaster,
      ask: { kind: 'http', port: service.port, requests },
    };
    const { p50, p95, perSecond, main, threads, postgres } = await takeTurn(load, subject, connections, 20 * seconds);
    rows.push([
      String(connections),
      perSecond * 60,
      p50 / seconds,
      p95 / seconds,
      (main + threads) / seconds,
      postgres / seconds,
    ]);
  }
  return [
    '## Creates',
    '',
    `60 trials of 22 channels and 4 s, over HTTP, ${rows.length} times 20 s. CPU is processor time per create.`,
    '',
    table(['at a time', 'a minute', 'p50 s', 'p95 s', 'CPU s, process with the worker', 'CPU s, Postgres'], rows, 2),
  ].join('\n');
}

/** The largest bodies, and what they do to others. */
export async function largestBodies({ service, callers, load, bodies }: Measuring): Promise<string> {
  const body = largeBody();
  const one = predicting('', service, callers.slice(1, 2), bodies.predict);
  const health: Subject = { ...one, ask: { ...one.ask, requests: [get('/healthz')] } };
  const rows = [];
  const other = startLoadProcess();
  for (const at of [0, 1, 4]) {
    const started = performance.now();
    const times: number[] = [];
    const state = { done: at === 0 };
    const uploads = Promise.all(
      Array.from({ length: at }, async () => {
        const { status, text } = await upload(`${service.url}/v1/task-models`, callers[0].key, body);
        if (status !== 200) throw new Error(text);
        times.push((performance.now() - started) / seconds);
      }),
    ).finally(() => (state.done = true));
    const turns: (readonly [Turn, Turn])[] = [];
    do turns.push(await Promise.all([takeTurn(load, one, 1, seconds), takeTurn(other, health, 1, seconds)]));
    while (!state.done);
    await uploads;
    const of = (which: 0 | 1, p: 'p50' | 'p99') =>
      percentile(
        turns.map((turn) => turn[which][p]),
        50,
      );
    rows.push([
      String(at),
      times.length ? percentile(times, 50) : undefined,
      of(0, 'p50'),
      of(0, 'p99'),
      of(1, 'p50'),
      of(1, 'p99'),
      residentMebibytes(service.pid),
    ]);
  }
  await other.stop();
  return [
    '## The largest bodies',
    '',
    `Estimates of 4,000,000 numbers as JSON text, ${(body.length / 2 ** 20).toFixed(0)} MiB each, of one account; another's predictions and \`/healthz\` meanwhile, milliseconds.`,
    '',
    table(['bodies', 'each s', 'prediction p50', 'p99', '/healthz p50', 'p99', 'resident MiB after'], rows, 1),
  ].join('\n');
}

/** What the API process holds with one and with many models in its threads' memory, and what a model takes elsewhere. */
export async function memory({ service, callers, load, bodies }: Measuring): Promise<string> {
  const rows: [string, number][] = [['after the runs above', residentMebibytes(service.pid)]];
  const objects = await openObjects(loadConfig({ ...process.env, DATA_DIR: service.dataDir }));
  const pool = service.records.createPool(service.databaseUrl, { max: 1 });
  const { rows: found } = await pool.query<{ model_ref: string }>('SELECT model_ref FROM task_models WHERE id = $1', [
    callers[0].modelId,
  ]);
  const bytes = await objects.get(found[0].model_ref);
  for (const [at, { modelId }] of callers.entries()) {
    const name = `${found[0].model_ref}-${at}`;
    await objects.put(name, bytes);
    await pool.query('UPDATE task_models SET model_ref = $2 WHERE id = $1', [modelId, name]);
  }
  await pool.end();
  const requests = predictions(callers, bodies.predict);
  for (let run = 0; run < 3; run++)
    await load.run({ kind: 'http', port: service.port, requests, connections: 8, milliseconds: 3 * seconds });
  rows.push([`with ${callers.length} models in the memory of each thread`, residentMebibytes(service.pid)]);
  const folder = join(service.dataDir, 'objects');
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const stored = await Promise.all(
    files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return [
    '## Memory and store',
    '',
    table(['the API process', 'resident MiB'], rows, 0),
    '',
    `The fitted model of 22 channels: ${bytes.length.toLocaleString('en-US')} bytes; the store holds ${stored.length} objects of ${(stored.reduce((a, b) => a + b, 0) / stored.length / 1024).toFixed(0)} KiB on average.`,
  ].join('\n');
}

/** Predictions with as many models in the database as years of use would leave. */
export async function hosted({ service, callers, load, bodies }: Measuring): Promise<string> {
  const pool = service.records.createPool(service.databaseUrl, { max: 1 });
  const subject = predicting('', service, callers.slice(0, 10), bodies.predict);
  const sizeOf = async (): Promise<number> =>
    Number((await pool.query('SELECT pg_database_size(current_database()) AS size')).rows[0].size);
  const before = await sizeOf();
  const rows: (string | number)[][] = [];
  let filled = 0;
  for (const models of [0, 10_000, 100_000]) {
    if (models > 0) await fillDatabase(pool, { from: filled, to: models });
    filled = models;
    const { p50, p99, perSecond, main, threads, postgres } = await takeTurn(load, subject, 8, 5 * seconds);
    const size = models > 0 ? ((await sizeOf()) - before) / models / 1024 : Number.NaN;
    rows.push([models.toLocaleString('en-US'), p50, p99, perSecond, main + threads, postgres, size]);
  }
  await pool.end();
  return [
    '## Models in the database',
    '',
    'Each with a fit, a batch, its money and a request of its past; one of four still hosted. 8 connections, 10 accounts.',
    '',
    table(
      ['models', 'p50 ms', 'p99 ms', 'per second', 'CPU API ms', 'CPU Postgres ms', 'KiB of Postgres a model'],
      rows,
      2,
    ),
  ].join('\n');
}
