import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad, type Tenant } from './load.ts';
import type { Site } from './site.ts';

/** One level of load. */
export interface Level {
  readonly callers: number;
  /** Answered predictions a second. */
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Cores that each part used. */
  readonly cores: Readonly<Record<string, number>>;
  /** Share of the samples of busy Postgres sessions by what they waited for; `CPU`: for nothing. */
  readonly waits: Readonly<Record<string, number>>;
}

/** Parts by a text in the command line of their processes. */
const parts: readonly (readonly [string, string])[] = [
  ['API', 'infra/main/api.ts'],
  ['workers', 'infra/main/worker.ts'],
  ['PgBouncer', 'pgbouncer'],
  ['Postgres', 'postgres'],
  ['Temporal', '--env drill'],
  ['S3', 'versitygw'],
  ['Prometheus', 'prometheus'],
  ['the load itself', 'test/drill'],
];
const ticksPerSecond = 100;
const seconds = 8;

/** Measures predictions at rising numbers of callers. */
export async function measureLevels(
  site: Site,
  tenants: readonly Tenant[],
  callers: readonly number[],
): Promise<Level[]> {
  const levels: Level[] = [];
  for (const count of callers) levels.push(await measure(site, tenants, count));
  return levels;
}

async function measure(site: Site, tenants: readonly Tenant[], callers: number): Promise<Level> {
  const many = Array.from({ length: callers }, (_, at) => tenants[at % tenants.length]!);
  const load = startLoad(() => site, many, { creates: false });
  await sleep(1_000);
  const from = performance.now();
  const before = await ticks();
  const waits: Record<string, number> = {};
  let samples = 0;
  while (performance.now() < from + seconds * 1000) {
    const { rows } = await site.admin.query<{ wait: string }>(
      `SELECT coalesce(wait_event_type || ' ' || wait_event, 'CPU') AS wait FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    for (const { wait } of rows) {
      waits[wait] = (waits[wait] ?? 0) + 1;
      samples += 1;
    }
    await sleep(20);
  }
  const took = (performance.now() - from) / 1000;
  const after = await ticks();
  const times = load.answered
    .filter((each) => each.to > from)
    .map((each) => each.to - each.from)
    .toSorted((a, b) => a - b);
  await load.stop();
  const share = (at: number): number => times[Math.min(times.length - 1, Math.floor(at * times.length))]!;
  const cores = parts.map(
    ([name]) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / ticksPerSecond / took] as const,
  );
  return {
    callers,
    perSecond: times.length / took,
    medianMs: share(0.5),
    p95Ms: share(0.95),
    cores: Object.fromEntries(cores),
    waits: Object.fromEntries(Object.entries(waits).map(([wait, count]) => [wait, count / samples])),
  };
}

/** CPU ticks of this process and its descendants, by part. */
async function ticks(): Promise<Record<string, number>> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, command] = await Promise.all(
        ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '')),
      );
      const fields = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ');
      const used = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
      return { pid, parent: fields[1] ?? '0', command: command!.replaceAll('\0', ' '), used };
    }),
  );
  const parentOf = new Map(found.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: string): boolean => {
    for (let at: string | undefined = pid; at !== undefined && at !== '0'; at = parentOf.get(at))
      if (at === String(process.pid)) return true;
    return false;
  };
  const sums: Record<string, number> = {};
  for (const { pid, command, used } of found) {
    if (!isOurs(pid)) continue;
    const part = parts.find(([, text]) => command.includes(text))?.[0] ?? 'the load itself';
    sums[part] = (sums[part] ?? 0) + used;
  }
  return sums;
}

const largest = (shares: Readonly<Record<string, number>>): readonly [string, number] =>
  Object.entries(shares).toSorted(([, a], [, b]) => b - a)[0] ?? ['nothing', 0];

/** What limits throughput at the level with the most callers, as a sentence. */
export function bottleneckOf(levels: readonly Level[]): string {
  const { cores, waits, perSecond } = levels.at(-1)!;
  const used = Object.values(cores).reduce((sum, each) => sum + each, 0);
  const [part, most] = largest(cores);
  const [wait, share] = largest(waits);
  const sessions = `Busy Postgres sessions mostly wait for: ${wait} (${Math.round(share * 100)} % of samples).`;
  const cpu = `${part} uses most CPU (${most.toFixed(2)} of ${availableParallelism()} cores; all parts ${used.toFixed(2)}).`;
  const first = used > 0.85 * availableParallelism() ? 'the CPU of the machine' : `Postgres, ${wait}`;
  return `First bottleneck at ${perSecond.toFixed(0)} predictions a second: ${first}. ${cpu} ${sessions}`;
}
