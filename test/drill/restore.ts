import { deepEqual, equal } from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { archiveNow, baseBackup, clusterOf, restoreTo } from '../chaos/support/backup.ts';
import { balancedCaller } from '../chaos/support/balanced-caller.ts';
import { admin } from './books.ts';
import { startLoad, type Tenant } from './load.ts';
import type { Programs } from './programs.ts';
import { loseSite, startServers, startSite, type Site } from './site.ts';

const longestMs = 120_000;

/** Connects as the superuser; the service makes its own role the default of the login. */
export async function connect(url: string): Promise<Client> {
  const sql = new Client({ connectionString: url, options: '-c role=none' });
  sql.on('error', () => undefined);
  await sql.connect();
  return sql;
}

/** A base backup of the running Postgres server. */
export async function backUp({ postgres, dir }: Pick<Site, 'postgres' | 'dir'>): Promise<void> {
  const sql = await connect(postgres.url);
  await baseBackup(sql, join(dir, 'base'));
  await sql.end();
}

/** The wallets and the labels of a prediction of each tenant. */
async function stateOf(site: Site, tenants: readonly Tenant[]): Promise<unknown> {
  const { rows: wallets } = await site.admin.query('SELECT account_id, balance, held FROM wallets ORDER BY 1');
  const { rows: models } = await site.admin.query(
    `SELECT id, status FROM task_models WHERE account_id = ANY ($1) ORDER BY id`,
    [tenants.map(({ accountId }) => accountId)],
  );
  return { wallets, models };
}

async function labelsOf(site: Site, { key, task, models }: Tenant): Promise<unknown> {
  const path = `/v1/task-models/${models[0]}/predictions`;
  const reply = await balancedCaller(() => site.apis).send({ key, path, body: task.one });
  equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.data;
}

/**
 * Notes an instant, serves on, loses every machine, and restores Postgres (with Temporal's databases) to the instant on
 * another site. Throws if the books, the wallets, the models or an answer differ. Returns the site and the seconds from
 * the loss to the first answer.
 */
export async function restoreSite(
  programs: Programs,
  site: Site,
  tenants: readonly Tenant[],
  dir: string,
): Promise<{ readonly site: Site; readonly seconds: number; readonly lost: number }> {
  const labels = await Promise.all(tenants.map((tenant) => labelsOf(site, tenant)));
  const { head } = await admin<{ head: { hash: string } }>(site, 'ledger', 'head');
  const state = await stateOf(site, tenants);
  const sql = await connect(site.postgres.url);
  const { rows } = await sql.query<{ instant: string }>('SELECT clock_timestamp()::text AS instant');
  await sleep(100);

  const later = startLoad(
    () => site,
    tenants.map((each) => ({ ...each, models: [] })),
  );
  await later.more();
  await later.stop();
  const cluster = await clusterOf(sql);
  await archiveNow(sql, async (there) => {
    for (const until = performance.now() + longestMs; !(await there()); await sleep(100))
      if (performance.now() > until) throw new Error('Postgres did not archive its log.');
  });
  await sql.end();

  const from = performance.now();
  await loseSite(site);
  const restored = await restoreTo(
    rows[0]!.instant,
    { dir: join(dir, 'postgres'), base: join(site.dir, 'base'), oldCluster: cluster },
    connect,
  );
  const again = await connect(restored.url);
  const recovering = async (): Promise<boolean> =>
    (await again.query<{ on: boolean }>('SELECT pg_is_in_recovery() AS on')).rows[0]!.on;
  for (const until = performance.now() + longestMs; await recovering(); await sleep(100))
    if (performance.now() > until) throw new Error('Postgres did not end its recovery.');
  await again.end();
  const servers = await startServers(programs, dir, restored);
  const heavy = site.workers.filter(({ tasks }) => tasks === 'heavy').length;
  const second = await startSite(dir, servers, site.s3, site.environment, heavy);
  deepEqual(await stateOf(second, tenants), state);
  const first = await labelsOf(second, tenants[0]!);
  const seconds = (performance.now() - from) / 1000;
  deepEqual([first, ...(await Promise.all(tenants.slice(1).map((tenant) => labelsOf(second, tenant))))], labels);
  await admin(second, 'ledger', 'check', '--since-head', head.hash);
  return { site: second, seconds, lost: later.answered.length };
}
