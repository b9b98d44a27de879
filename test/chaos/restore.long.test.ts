import { cp, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { startTemporalServer, type TemporalServer } from '../../infra/embedded/temporal.ts';
import { temporalNames } from '../../infra/contract/workflow-names.ts';
import { httpClient } from '../support/http-client.ts';
import { createBody, nested } from '../support/requests.ts';
import { runMain, type Program } from '../support/stack.ts';
import { archiveNow, archiving, baseBackup, clusterOf, restoreTo } from './support/backup.ts';

/**
 * The drill of infra/deploy/BACKUP.md: the machines are lost; Postgres comes back at one instant from a base backup and
 * the archive of its log, the store from copies that only ever add (what a bucket with versions is), Temporal empty.
 */
const patient = { timeout: 180_000, interval: 250 };
const secrets = {
  DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  SESSION_SECRET: randomBytes(32).toString('base64'),
};

interface Site {
  readonly postgres: EmbeddedPostgres;
  readonly temporal: TemporalServer;
  readonly environment: Record<string, string>;
  readonly programs: Program[];
  url: string;
}

let folder: string;
const sites: Site[] = [];
const at = (...names: string[]): string => join(folder, ...names);

async function connect(url: string): Promise<Client> {
  const sql = new Client({ connectionString: url });
  sql.on('error', () => undefined);
  await sql.connect();
  return sql;
}

/** Servers for one site; `serve` starts an API and a worker on them. */
async function site(name: string, postgres: EmbeddedPostgres): Promise<Site> {
  const cli = process.env['TEMPORAL_CLI']!;
  const temporal = await startTemporalServer({
    cli,
    dir: at(name, 'temporal'),
    keep: true,
    namespace: 'default',
  });
  const environment = {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    OBJECT_STORE_URL: pathToFileURL(at(name, 'store')).href,
    DATA_DIR: at(name),
    ...secrets,
  };
  const made: Site = { postgres, temporal, environment, programs: [], url: '' };
  sites.push(made);
  return made;
}

async function serve(here: Site): Promise<void> {
  const api = runMain('api', [], here.environment);
  const worker = runMain('worker', [], here.environment);
  here.programs.push(api, worker);
  here.url = (await api.says(/API (http:\S+)/))[1];
  await worker.says(/Worker ready/);
}

async function admin<T>({ environment }: Site, ...args: string[]): Promise<T> {
  const program = runMain('admin', args, environment);
  if ((await program.exit) !== 0) throw new Error(program.output());
  return JSON.parse(program.output()) as T;
}

/** Nothing gets a chance to end in order. */
function lose({ programs, temporal }: Site): void {
  for (const { child } of programs) process.kill(child.pid!, 'SIGKILL');
  process.kill(temporal.pid, 'SIGKILL');
}

/** Adds what the store holds to the copy, and removes nothing from it. */
const copyStore = async (here: string): Promise<void> =>
  await cp(at(here, 'store'), at('copy'), { recursive: true, force: false, preserveTimestamps: true });

const objectsOf = async (name: string, model: string): Promise<string[]> =>
  (await readdir(at(name, 'store'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes(model))
    .map((entry) => entry.name);

// A second attempt starts with machines of its own.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-restore-'));
});
afterEach(async () => {
  for (const { programs, postgres, temporal } of sites.splice(0)) {
    for (const { child } of programs) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all([postgres.stop(), temporal.stop()]);
  }
  await rm(folder, { recursive: true, force: true });
});

const trial = { x: nested(2), sampling_rate_hz: 100, units: 'uV', channels: ['C3', 'Cz', 'C4'] };

it(
  'restores a noted instant: exact money, the same answers byte for byte, deleted models stay deleted, timers continue',
  {
    timeout: 900_000,
  },
  async () => {
    const quick = { fsync: 'off', full_page_writes: 'on' };
    const first = await site(
      'first',
      await startEmbeddedPostgres({ dir: at('first', 'pg'), settings: { ...archiving, ...quick } }),
    );
    await serve(first);
    const { account_id: account } = await admin<{ account_id: string }>(
      first,
      'account',
      'create',
      '--email',
      'drill@example.org',
      '--password',
      'long enough',
      '--accept-terms',
    );
    const { key } = await admin<{ key: string }>(first, 'key', 'create', '--account', account, '--mode', 'live');
    await admin(first, 'account', 'credit', '--account', account, '--usd', '50');
    const sql = await connect(first.postgres.url);
    const cluster = await clusterOf(sql);
    const caller = httpClient(first.url, key);
    const create = async (name: string, change = {}): Promise<string> => {
      const { status, body } = await caller.untilAnswered('/v1/task-models', createBody({ name, ...change }), name);
      expect(status, JSON.stringify(body)).toBe(201);
      return body.id;
    };
    const predict = async (here: Site, id: string, idempotencyKey?: string) => {
      const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
      const reply = await httpClient(here.url, key).send('POST', `/v1/task-models/${id}/predictions`, trial, headers);
      return { ...reply, data: JSON.stringify(reply.body.data) };
    };

    // Before the base backup.
    const kept = await create('kept');
    const gone = await create('gone');
    await baseBackup(sql, at('base'));
    await copyStore('first');
    const head = async (here: Site): Promise<{ hash: string; branch: number }> =>
      (await admin<{ head: { hash: string; branch: number } }>(here, 'ledger', 'head')).head;
    const noted = await head(first);

    // After it, and before the instant.
    const later = await create('later', { expires_in_days: 1 });
    const collecting = await create('collecting', { defer_fit: true });
    const answers = { kept: await predict(first, kept, 'before'), later: await predict(first, later) };
    expect(answers.kept.status).toBe(200);
    expect((await caller.send('DELETE', `/v1/task-models/${gone}`)).status).toBe(200);
    expect((await caller.send('PATCH', `/v1/task-models/${kept}`, { name: 'renamed' })).status).toBe(200);
    const usage = (await caller.send('GET', '/v1/usage')).body;
    const shown = await admin<Record<string, unknown>>(first, 'account', 'show', '--account', account);
    const { rows } = await sql.query<{ instant: string }>('SELECT clock_timestamp()::text AS instant');

    // After the instant: none of this may come back, and the model deleted now must.
    await copyStore('first');
    const unheard = await create('unheard');
    expect((await caller.send('DELETE', `/v1/task-models/${later}`)).status).toBe(200);
    await admin(first, 'account', 'credit', '--account', account, '--usd', '7');
    await copyStore('first');
    await vi.waitFor(async () => expect(await objectsOf('first', later)).toEqual([]), patient);
    const lost = await head(first);
    await archiveNow(sql, (there) => vi.waitFor(async () => expect(await there()).toBe(true), patient));
    await sql.end();
    lose(first);
    await first.postgres.stop();

    // Another site: Postgres at the instant, then the store, whose objects are as old as their copy says.
    const restored = await restoreTo(
      rows[0].instant,
      { dir: at('second', 'pg'), base: at('base'), oldCluster: cluster },
      connect,
    );
    const again = await connect(restored.url);
    await vi.waitFor(async () => {
      expect((await again.query('SELECT pg_is_in_recovery() AS recovering')).rows).toEqual([{ recovering: false }]);
    }, patient);
    await cp(at('copy'), at('second', 'store'), { recursive: true });
    const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const entry of await readdir(at('second', 'store'), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), hoursAgo, hoursAgo);
    expect(await objectsOf('second', unheard)).not.toEqual([]);
    const second = await site('second', restored);
    await serve(second);

    // The books, and every answer.
    expect(await admin(second, 'ledger', 'check', '--since-head', noted.hash)).toMatchObject({ ok: true });
    await expect(admin(second, 'ledger', 'check', '--since-head', lost.hash)).rejects.toThrow(/no seal has this hash/);
    const { body: usageNow } = await httpClient(second.url, key).send('GET', '/v1/usage');
    expect({ ...usageNow.month, requests: null }).toEqual({ ...usage.month, requests: null });
    const shownNow = await admin<Record<string, unknown>>(second, 'account', 'show', '--account', account);
    expect(shownNow['balance_usd']).toBe(shown['balance_usd']);
    const replay = await predict(second, kept, 'before');
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.body).toEqual(answers.kept.body);
    expect((await predict(second, kept)).data).toBe(answers.kept.data);
    expect((await predict(second, later)).data).toBe(answers.later.data);
    expect((await httpClient(second.url, key).send('GET', `/v1/task-models/${kept}`)).body.name).toBe('renamed');
    expect((await predict(second, gone)).body).toMatchObject({ details: { status: 'deleted' } });
    expect((await predict(second, unheard)).status).toBe(404);

    // Time: the reconciler starts a workflow for each model, with a timer for what comes next.
    const temporal = new TemporalClient({ connection: await Connection.connect({ address: second.temporal.address }) });
    // A run is left out while the one before it goes on, hence again until what it does is seen.
    const daily = (seen: () => Promise<void>): Promise<void> =>
      vi.waitFor(
        async () => {
          await temporal.schedule.getHandle(temporalNames.schedules.daily).trigger();
          await seen();
        },
        { ...patient, interval: 2_000 },
      );
    const due = await again.query<{ id: string; due: Date }>(
      `SELECT id, coalesce(collect_until, least(expires_at, paid_through)) AS due FROM task_models WHERE id = ANY ($1)`,
      [[kept, later, collecting]],
    );
    expect(due.rows).toHaveLength(3);
    for (const { id, due: instant } of due.rows)
      await daily(async () => expect(await timerOf(temporal, id)).toBeCloseTo(instant.getTime() / 60_000, -0.5));

    // What is due is done: the collecting model has had its seven days, and a hosting month has ended.
    await again.query(`UPDATE task_models SET collect_until = now() - interval '1 hour' WHERE id = $1`, [collecting]);
    await again.query(`UPDATE task_models SET expires_at = now() - interval '1 hour' WHERE id = $1`, [later]);
    const statusOf = async (id: string) =>
      (await again.query('SELECT status FROM task_models WHERE id = $1', [id])).rows[0].status;
    await daily(async () =>
      expect([await statusOf(collecting), await statusOf(later)]).toEqual(['deleted', 'expired']),
    );

    // Objects of what never was are swept, those of what is stay.
    await daily(async () => expect(await objectsOf('second', unheard)).toEqual([]));
    expect(await objectsOf('second', kept)).not.toEqual([]);
    expect((await predict(second, kept)).data).toBe(answers.kept.data);
    expect(await head(second)).toMatchObject({ branch: noted.branch + 1 });
    expect(await admin(second, 'ledger', 'check', '--since-head', noted.hash)).toMatchObject({ ok: true });
    await again.end();
    await temporal.connection.close();
    for (const { child, exit } of second.programs) {
      child.kill('SIGTERM');
      expect(await exit).toBe(0);
    }
  },
);

/** Minutes since 1970 at which the first timer of the model's workflow goes off. */
async function timerOf(client: TemporalClient, id: string): Promise<number> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const started = events?.findLast((event) => event.timerStartedEventAttributes);
  const seconds = Number(started?.timerStartedEventAttributes?.startToFireTimeout?.seconds ?? Number.NaN);
  return Number(started?.eventTime?.seconds ?? Number.NaN) / 60 + seconds / 60;
}
