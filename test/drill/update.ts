import { setTimeout as sleep } from 'node:timers/promises';
import { createTemporalClient } from '../../infra/drivers/temporal/client.ts';
import { makeCurrent, readDeployment } from '../../infra/drivers/temporal/deployments.ts';
import { lastingPort } from './lasting-port.ts';
import { longestGap, type Load } from './load.ts';
import { placed, type Site } from './site.ts';
import { namespace } from './temporal-server.ts';

export interface Build {
  readonly name: string;
  /** Its checkout; absent: this one. */
  readonly folder?: string;
}

export interface Rollout {
  readonly build: string;
  readonly seconds: number;
  /** Longest time without an answered prediction, in seconds. */
  readonly gap: number;
}

const patienceMs = 60_000;

/**
 * Replaces the processes one by one while they serve, as `docs/deploy.md` says: each API stops, and one of the other build
 * starts in its place; workers of the other build start before the former ones stop. An earlier build becomes the current
 * one again only by command.
 */
export async function rollTo(site: Site, load: Load, build: Build): Promise<Rollout> {
  const from = performance.now();
  const { environment, apis, workers } = site;
  const start = async (main: 'api' | 'worker', port: number, tasks: string | null) => {
    const member = placed(environment, main, port, tasks, build);
    await member.start();
    return member;
  };
  for (const [at, api] of apis.entries()) {
    await api.stop('SIGTERM');
    apis[at] = await start('api', api.port, null);
  }
  const former = workers.splice(0);
  // Together: a worker is ready when its build is the current one, which needs light and heavy workers of the build.
  const starts = former.map(async ({ tasks }) => await start('worker', await lastingPort(), tasks));
  workers.push(...(await Promise.all(starts)));
  await untilCurrent(site, build.name);
  for (const each of former) await each.stop('SIGTERM');
  await load.more();
  return { build: build.name, seconds: (performance.now() - from) / 1000, gap: longestGap(load, 'predict', from) };
}

async function untilCurrent({ environment, temporal }: Site, build: string): Promise<void> {
  const keys = [new Uint8Array(Buffer.from(environment['DATA_ENCRYPTION_KEY']!, 'hex'))];
  const { client, close } = createTemporalClient({ address: temporal.address, namespace, keys });
  try {
    for (const until = performance.now() + patienceMs; ; await sleep(500)) {
      const { current, former } = await readDeployment(client);
      if (current === build) return;
      const failure = former.includes(build)
        ? await makeCurrent(client, build).then(() => null, String)
        : `${current} is current`;
      if (performance.now() > until) throw new Error(`Build ${build} did not become current: ${failure}`);
    }
  } finally {
    await close();
  }
}
