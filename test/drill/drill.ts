import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeOtherBuild } from '../chaos/support/other-build.ts';
import { startOperator } from '../chaos/support/operator.ts';
import { oneMoreMigration } from '../support/one-more-migration.ts';
import { startS3Server } from '../support/s3-server.ts';
import { alertsOf, runBoard, startPrometheus, type Prometheus } from './board.ts';
import { checkBooks } from './books.ts';
import { bottleneckOf, measureLevels, type Level } from './bottleneck.ts';
import { killPart, partsOf, type Recovery } from './kills.ts';
import { newTenants, startLoad, type Load } from './load.ts';
import type { Programs } from './programs.ts';
import { backUp, restoreSite } from './restore.ts';
import { loseSite, secrets, startPostgres, startServers, startSite, type Site } from './site.ts';
import { rollTo, type Rollout } from './update.ts';

/** What a drill measured. Parts that the short form leaves out are null. */
export interface DrillReport {
  readonly startSeconds: number;
  readonly recoveries: readonly Recovery[];
  readonly rollouts: readonly Rollout[] | null;
  readonly restore: { readonly seconds: number; readonly lost: number } | null;
  readonly levels: readonly Level[] | null;
  readonly bottleneck: string | null;
  readonly board: readonly { readonly title: string; readonly series: number }[] | null;
  readonly alerts: readonly string[] | null;
  readonly answered: { readonly creates: number; readonly predictions: number };
  readonly transactions: number;
  /** How often an attempt of the load had this result. */
  readonly seen: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/**
 * Parts that the short form kills. A request that Postgres interrupts holds its key for a minute, which is too long for
 * this form.
 */
const shortKills = ['PgBouncer', 'Temporal'];

/**
 * Builds the cluster, kills its parts under load, and checks the books. Without `short` it also updates forward and back
 * with a migration, restores to an instant, measures the first bottleneck and runs the board's queries. Throws at the
 * first request that was not answered as it should be, and at the first difference in the books.
 */
export async function drill(programs: Programs, short: boolean, say: (line: string) => void): Promise<DrillReport> {
  const begun = performance.now();
  const dir = await mkdtemp(join(tmpdir(), 'eeg-drill-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  try {
    const s3 = await startS3Server();
    if ('missing' in s3) throw new Error(s3.missing);
    ends.push(() => s3.stop());
    const postgres = await startPostgres(join(dir, 'first'));
    ends.push(() => postgres.stop());
    const servers = await startServers(programs, join(dir, 'first'), postgres);
    let site: Site = await startSite(join(dir, 'first'), servers, s3, secrets(), short ? 1 : 2);
    ends.push(() => loseSite(site));
    const startSeconds = (performance.now() - begun) / 1000;
    say(`The cluster serves after ${startSeconds.toFixed(0)} s.`);
    const prometheus = short || !programs.prometheus ? null : await watch(programs.prometheus, dir, site, ends);
    if (!short) await backUp(site);

    const tenants = await newTenants(site, short ? 2 : 3);
    const load = startLoad(() => site, tenants);
    const operator = startOperator(site.pool);
    await load.more();
    const recoveries: Recovery[] = [];
    for (const part of short ? shortKills : Object.keys(partsOf(site))) {
      recoveries.push(await killPart(site, load, part));
      say(`kill -9 of ${part}: ${JSON.stringify(recoveries.at(-1))}`);
    }
    const rollouts = short ? null : await updateAndBack(site, load, dir, say);
    await operator.stop();
    await load.stop();
    const count = (kind: 'create' | 'predict'): number => load.answered.filter((each) => each.kind === kind).length;
    const answered = { creates: count('create'), predictions: count('predict') };
    const transactions = await checkBooks(site, tenants, answered);
    say(`The books are sound: ${transactions} transactions for ${JSON.stringify(answered)}.`);

    let restore: DrillReport['restore'] = null;
    let levels: Level[] | null = null;
    if (!short) {
      const board = prometheus && (await runBoard(prometheus.url));
      const alerts = prometheus && (await alertsOf(prometheus.url));
      const restored = await restoreSite(programs, site, tenants, join(dir, 'second'));
      site = restored.site;
      ends.push(() => restored.site.postgres.stop());
      restore = { seconds: restored.seconds, lost: restored.lost };
      say(`Restored to an instant in ${restore.seconds.toFixed(0)} s.`);
      levels = await measureLevels(site, tenants, [1, 8, 32]);
      say(bottleneckOf(levels));
      return report({ board, alerts });
    }
    return report({ board: null, alerts: null });

    function report(rest: Pick<DrillReport, 'board' | 'alerts'>): DrillReport {
      const seen = Object.fromEntries(load.seen);
      const bottleneck = levels && bottleneckOf(levels);
      const seconds = (performance.now() - begun) / 1000;
      return {
        startSeconds,
        recoveries,
        rollouts,
        restore,
        levels,
        bottleneck,
        answered,
        transactions,
        seen,
        seconds,
        ...rest,
      };
    }
  } finally {
    for (const end of ends.toReversed()) await end().catch((error: unknown) => say(`At the end: ${String(error)}`));
  }
}

async function watch(program: string, dir: string, site: Site, ends: (() => Promise<unknown>)[]): Promise<Prometheus> {
  const prometheus = await startPrometheus(program, join(dir, 'prometheus'), site);
  ends.push(() => prometheus.kill());
  return prometheus;
}

/** Updates to a build with one more migration, and back, while the site serves. */
async function updateAndBack(site: Site, load: Load, dir: string, say: (line: string) => void): Promise<Rollout[]> {
  const folder = join(dir, 'next');
  await makeOtherBuild(folder);
  const forward = await rollTo(site, load, { name: 'b', folder });
  const { rowCount } = await site.admin.query('SELECT FROM schema_migrations WHERE name = $1', [oneMoreMigration.name]);
  if (rowCount !== 1) throw new Error(`The update did not apply ${oneMoreMigration.name}.`);
  say(`Updated with a migration: ${JSON.stringify(forward)}`);
  const back = await rollTo(site, load, { name: 'a' });
  say(`Updated back: ${JSON.stringify(back)}`);
  return [forward, back];
}
