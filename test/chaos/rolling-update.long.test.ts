import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeCurrent, readDeployment } from '../../infra/drivers/temporal/deployments.ts';
import { freePort } from '../../infra/embedded/ports.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { newAccount } from '../support/api.ts';
import { balancedCaller } from './support/balanced-caller.ts';
import { isReady, startFleet, type Fleet } from './support/fleet.ts';
import { createMember, type Member } from './support/member.ts';
import { oneMoreMigration } from '../support/one-more-migration.ts';
import { makeOtherBuild } from './support/other-build.ts';
import { simpleTask } from './support/simple-tasks.ts';

const accounts = 3;

interface Build {
  readonly name: string;
  /** Of its checkout; absent: this one. */
  readonly folder?: string;
}

let folder: string;
let fleet: Fleet;
/** What runs now, by place. */
let apis: Member[] = [];
let workers: Member[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'eeg-build-'));
  await makeOtherBuild(folder);
  fleet = await startFleet({ apis: 2, workers: 2 }, { DEPLOYMENT_BUILD: 'a', DRAIN_SECONDS: '1' });
  apis = [...fleet.apis];
  workers = [...fleet.workers];
}, 300_000);
afterAll(async () => {
  await Promise.all([...apis, ...workers].map((each) => each.stop()));
  await fleet?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function started(main: 'api' | 'worker', port: number, build: Build): Promise<Member> {
  const environment = {
    ...fleet.environment,
    DEPLOYMENT_BUILD: build.name,
    [main === 'api' ? 'PORT' : 'WORKER_HEALTH_PORT']: String(port),
  };
  const ready = (): Promise<boolean> => isReady(`http://127.0.0.1:${port}`);
  const member = createMember(`${main} of build ${build.name}`, main, environment, ready, build.folder);
  await member.start();
  return member;
}

/**
 * One process at a time: an API's place is taken by the next; the workers come before those that they stand for go. A
 * build that was current before is it again by the operator's word alone.
 */
async function rollTo(build: Build): Promise<void> {
  for (const [place, url] of fleet.urls.entries()) {
    await apis[place]!.stop('SIGTERM');
    apis[place] = await started('api', Number(new URL(url).port), build);
  }
  const former = [...workers];
  for (let i = 0; i < former.length; i++) workers.push(await started('worker', await freePort(), build));
  const { former: replaced } = await readDeployment(fleet.client);
  if (replaced.includes(build.name))
    await expect
      .poll(() => makeCurrent(fleet.client, build.name).then(() => 'current', String), { timeout: 60_000 })
      .toBe('current');
  for (const each of former) await each.stop('SIGTERM');
  workers = workers.slice(former.length);
  expect((await readDeployment(fleet.client)).current).toBe(build.name);
}

const countOf = async (query: string): Promise<number> => (await fleet.client.workflow.count(query)).count;

it(
  'updates to the next build and back under load; the only failures are those with Retry-After',
  { timeout: 480_000 },
  async () => {
    const caller = balancedCaller(() => fleet.urls.map((url, place) => ({ url, ready: apis[place]!.ready })));
    const load = new AbortController();
    let created = 0;
    const tenant = async (at: number): Promise<void> => {
      const { accountId, key } = await newAccount(fleet.database);
      await credit(fleet.database.pool, { accountId, amount: 500_000_000n, source: 'operator', at: new Date() });
      const task = simpleTask(14, at);
      const create = { key, path: '/v1/task-models', body: JSON.stringify(task.create) };
      while (!load.signal.aborted) {
        const { status, body } = await caller.send(create);
        expect(status, JSON.stringify(body)).toBe(201);
        created += 1;
        const path = `/v1/task-models/${body.id}/predictions`;
        for (let i = 0; i < 10 && !load.signal.aborted; i++)
          expect(await caller.send({ key, path, body: task.one })).toMatchObject({ status: 200 });
      }
    };
    const tenants = Promise.all(Array.from({ length: accounts }, (_, at) => tenant(at)));
    const more = async (): Promise<void> => {
      const before = created;
      const enough = expect.poll(() => created, { timeout: 120_000 }).toBeGreaterThan(before + accounts);
      await Promise.race([enough, tenants]);
    };
    tenants.catch(() => load.abort());

    await more();
    await rollTo({ name: 'b', folder });
    const { rows: applied } = await fleet.database.admin.query('SELECT kind FROM schema_migrations WHERE name = $1', [
      oneMoreMigration.name,
    ]);
    expect(applied).toEqual([{ kind: 'expand' }]);
    await more();
    await rollTo({ name: 'a' });
    await more();
    load.abort();
    await tenants;

    const allowed = /^(20\d ok|503 \w+ with Retry-After|ECONNREFUSED)$/;
    expect([...caller.seen].filter(([what]) => !allowed.test(what))).toEqual([]);
    expect(await checkLedger(fleet.database.pool, { at: new Date() })).toMatchObject({ ok: true, problems: [] });
    const { rows } = await fleet.database.admin.query(
      `SELECT count(*) FILTER (WHERE finished_at IS NULL)::int AS open, count(*)::int AS total FROM fit_requests`,
    );
    expect(rows).toEqual([{ open: 0, total: created }]);
    const fits = `WorkflowType = 'fitTaskModel'`;
    await expect.poll(() => countOf(`${fits} AND ExecutionStatus = 'Running'`)).toBe(0);
    for (const build of ['a', 'b'])
      expect(
        await countOf(`${fits} AND TemporalWorkerDeploymentVersion = 'eeg-task-classifier:${build}'`),
      ).toBeGreaterThan(0);
  },
);
