import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import type { Pool } from 'pg';
import { fitWorkflowId } from '../../infra/contract/workflow-names.ts';
import { makeBodies } from './serve/bodies.ts';
import { makeCallers, type Caller } from './serve/callers.ts';
import { startCheckout, type Checkout } from './serve/checkout.ts';
import { publish, table } from './tables.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const warm = 100;
const asked = 600;
const hosted = 50_000;
const creates = 3;

type Row = readonly [what: string, value: number | string, how: string];

/** What a request and a hosted model cost in bytes: the numbers that infra/deploy/SIZES.md reckons with. */
export async function sizes(): Promise<void> {
  const service = await startCheckout(root);
  const pool = service.records.createPool(service.databaseUrl, { max: 4 });
  try {
    const bodies = makeBodies();
    const [caller] = await makeCallers(service, bodies.create, 1);
    const rows: Row[] = [
      ...(await ofPredictions(service, pool, caller, new Uint8Array(bodies.predict))),
      ...(await ofCreates(service, pool, caller, bodies.create)),
      ...(await ofModels(pool, caller)),
    ];
    const head =
      '# What a request and a hosted model cost\n\n`npm run bench -- sizes`: one trial, and creates of 60 trials, of 22 channels and 4 s.\n\n';
    publish('sizes.md', head + table(['what', 'bytes or count', 'measured'], rows, 0));
  } finally {
    await pool.end();
    await service.stop();
  }
}

const walAt = async (pool: Pool): Promise<bigint> =>
  (await pool.query<{ at: bigint }>("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint AS at")).rows[0].at;

async function tableBytes(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; bytes: bigint }>(
    `SELECT coalesce(p.relname, c.relname) AS name, sum(pg_total_relation_size(c.oid))::bigint AS bytes
     FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace GROUP BY 1`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

async function ask({ url }: Checkout, caller: Caller, body: Uint8Array<ArrayBuffer>, keyed: boolean): Promise<void> {
  const headers = { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' };
  const reply = await fetch(`${url}/v1/task-models/${caller.modelId}/predictions`, {
    method: 'POST',
    headers: keyed ? { ...headers, 'idempotency-key': randomBytes(8).toString('hex') } : headers,
    body,
  });
  if (reply.status !== 200) throw new Error(await reply.text());
  await reply.arrayBuffer();
}

async function ofPredictions(
  service: Checkout,
  pool: Pool,
  caller: Caller,
  body: Uint8Array<ArrayBuffer>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const keyed of [false, true]) {
    const name = keyed ? 'a prediction with an Idempotency-Key' : 'a prediction';
    await pool.query('CHECKPOINT');
    for (let n = 0; n < warm; n++) await ask(service, caller, body, keyed);
    await pool.query('VACUUM');
    const [wal, tables] = [await walAt(pool), await tableBytes(pool)];
    for (let n = 0; n < asked; n++) await ask(service, caller, body, keyed);
    const how = `${asked} in a row, the pages written since the last checkpoint`;
    rows.push([`log of Postgres (WAL), ${name}`, Number((await walAt(pool)) - wal) / asked, how]);
    await pool.query('VACUUM');
    for (const [each, bytes] of await tableBytes(pool)) {
      const grown = (bytes - (tables.get(each) ?? 0)) / asked;
      if (grown >= 20) rows.push([`table \`${each}\`, ${name}`, grown, 'growth with indexes, after VACUUM']);
    }
  }
  return rows;
}

async function storedBytes(folder: string, model: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const ours = names.filter((name) => name.includes(model)).map((name) => join(folder, name));
  const found = await Promise.all(ours.map((path) => stat(path)));
  return found.filter((each) => each.isFile()).reduce((sum, { size }) => sum + size, 0);
}

async function ofCreates(service: Checkout, pool: Pool, { key }: Caller, body: object): Promise<Row[]> {
  const wal = await walAt(pool);
  const ids: string[] = [];
  for (let n = 0; n < creates; n++) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const reply = await fetch(`${service.url}/v1/task-models`, { method: 'POST', headers, body: JSON.stringify(body) });
    ids.push(((await reply.json()) as { id: string }).id);
  }
  const log = Number((await walAt(pool)) - wal) / creates;
  const id = ids.at(-1)!;
  const jobs = await pool.query<{ job: string }>('SELECT job_id AS job FROM fit_requests WHERE model_id = $1', [id]);
  const { temporalAddress } = JSON.parse(await readFile(join(service.dataDir, 'stack.json'), 'utf8')) as {
    temporalAddress: string;
  };
  const connection = await Connection.connect({ address: temporalAddress });
  const { workflow } = new Client({ connection });
  const describe = async (name: string) => {
    const { historyLength, historySize } = await workflow.getHandle(name).describe();
    return { events: historyLength, bytes: historySize ?? Number.NaN };
  };
  // The workflow of a model begins when its create has been answered.
  await sleep(1_000);
  const [model, fit] = [await describe(id), await describe(fitWorkflowId(id, jobs.rows[0].job))];
  await connection.close();
  return [
    ['log of Postgres (WAL), a create', log, `${creates} in a row`],
    ['events of the workflow of a hosted model', model.events, 'after its create; it begins anew each hosting month'],
    ['history of the workflow of a hosted model', model.bytes, 'as Temporal counts it'],
    ['events of a fit', fit.events, 'a workflow of its own, kept for the retention of the namespace'],
    ['history of a fit', fit.bytes, 'as Temporal counts it'],
    [
      'objects of a hosted model',
      await storedBytes(join(service.dataDir, 'objects'), id),
      'sealed; the winner of this create',
    ],
  ];
}

async function ofModels(pool: Pool, { modelId }: Caller): Promise<Row[]> {
  const before = (await tableBytes(pool)).get('task_models')!;
  const report = await pool.query<{ bytes: number }>(
    'SELECT pg_column_size(training_report) AS bytes FROM task_models WHERE id = $1',
    [modelId],
  );
  const wal = await walAt(pool);
  await pool.query(
    `INSERT INTO task_models
     SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'clf_' || md5(n::text)))).*
     FROM task_models t, generate_series(1, ${hosted}) AS n WHERE id = $1`,
    [modelId],
  );
  const log = Number((await walAt(pool)) - wal) / hosted;
  await pool.query('VACUUM ANALYZE task_models');
  const after = (await tableBytes(pool)).get('task_models')!;
  return [
    ['row of a hosted model with indexes and report', (after - before) / hosted, `${hosted} copies of one`],
    ['of it the training report', report.rows[0].bytes, 'compressed'],
    ['log of Postgres (WAL), the row of a model', log, 'inserted in one statement'],
  ];
}
