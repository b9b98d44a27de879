import { setTimeout as sleep } from 'node:timers/promises';
import { isReady } from '../chaos/support/fleet.ts';
import { longestGap, secondsUntil, type Load } from './load.ts';
import type { ServerProcess } from './server-process.ts';
import type { Site } from './site.ts';

/** What a kill of one part did, in seconds. */
export interface Recovery {
  readonly part: string;
  /** Until every process was ready again, and both kinds of requests were answered. */
  readonly ready: number;
  /** Until a request that began after the kill was answered. */
  readonly predict: number;
  readonly create: number;
  /** Longest time without an answered prediction. */
  readonly gap: number;
}

/** Time that a killed server stays away. */
const awayMs = 1_000;

/** Ways to kill each part; each returns after the part runs again. */
export function partsOf(site: Site): Readonly<Record<string, () => Promise<void>>> {
  const server =
    ({ kill, start }: ServerProcess) =>
    async (): Promise<void> => {
      await kill();
      await sleep(awayMs);
      await start();
    };
  return {
    'an API': () => site.apis[0]!.restart('SIGKILL'),
    'the light worker': () => site.workers.find(({ tasks }) => tasks === 'light')!.restart('SIGKILL'),
    'a heavy worker': () => site.workers.find(({ tasks }) => tasks === 'heavy')!.restart('SIGKILL'),
    PgBouncer: server(site.pooler),
    Temporal: server(site.temporal),
    'the S3 server': async () => {
      await site.s3.kill();
      await sleep(awayMs);
      await site.s3.restart();
    },
    // Its keeper starts it again.
    Postgres: async () => {
      process.kill(site.postgres.pid, 'SIGKILL');
      await sleep(awayMs);
    },
  };
}

/** Kills the part under load, and waits until creates and predictions are answered again. */
export async function killPart(site: Site, load: Load, part: string): Promise<Recovery> {
  const from = performance.now();
  await partsOf(site)[part]!();
  await load.more();
  for (const { url } of [...site.apis, ...site.workers]) while (!(await isReady(url))) await sleep(50);
  return {
    part,
    ready: (performance.now() - from) / 1000,
    predict: secondsUntil(load, 'predict', from),
    create: secondsUntil(load, 'create', from),
    gap: longestGap(load, 'predict', from),
  };
}
