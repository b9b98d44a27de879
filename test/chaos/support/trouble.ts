import { setTimeout as sleep } from 'node:timers/promises';
import { shuffle, type Random } from '../../../ml/random.ts';
import type { Fleet } from './fleet.ts';
import type { Member } from './member.ts';

/** What may happen, and how often beside the others. */
const happenings: readonly { readonly what: string; readonly weight: number }[] = [
  { what: 'an API is killed', weight: 6 },
  { what: 'a worker is killed', weight: 8 },
  { what: 'an API is stopped', weight: 2 },
  { what: 'a worker is stopped', weight: 3 },
  { what: 'an API and a worker are killed', weight: 2 },
  { what: 'two workers are killed', weight: 2 },
  { what: 'connections to Postgres are cut', weight: 4 },
];

const pauseMs = { least: 3_000, most: 9_000 };

/** Trouble at seeded moments, until it is stopped. */
export interface Trouble {
  /** What has happened so far, in order. */
  readonly happened: readonly string[];
  /** Ends it, and waits until all that was ended is ready again. */
  stop(): Promise<void>;
}

function pick(random: Random): string {
  let at = random() * happenings.reduce((sum, { weight }) => sum + weight, 0);
  return happenings.find(({ weight }) => (at -= weight) < 0)!.what;
}

/** Kills, stops and cuts what is ready, and starts again what it ended. `aside`: what else happens, once each. */
export function makeTrouble(fleet: Fleet, random: Random, aside: readonly (() => Promise<string>)[] = []): Trouble {
  const happened: string[] = [];
  const restarting = new Set<Promise<void>>();
  const stopped = new AbortController();
  let failure: unknown = null;

  const end = (members: readonly Member[], count: number, signal: 'SIGKILL' | 'SIGTERM'): string => {
    const standing = members.filter(({ ready }) => ready);
    const order = shuffle(
      Array.from(standing, (_, at) => at),
      random,
    );
    const chosen = order.slice(0, count).map((at) => standing[at]!);
    for (const member of chosen) {
      const again = member.restart(signal).catch((error: unknown) => {
        failure ??= error;
      });
      restarting.add(again);
      void again.then(() => restarting.delete(again));
    }
    return `${signal} ${chosen.map(({ name }) => name).join(', ') || 'nobody: none is ready'}`;
  };
  const acts: Readonly<Record<string, () => Promise<string> | string>> = {
    'an API is killed': () => end(fleet.apis, 1, 'SIGKILL'),
    'a worker is killed': () => end(fleet.workers, 1, 'SIGKILL'),
    'an API is stopped': () => end(fleet.apis, 1, 'SIGTERM'),
    'a worker is stopped': () => end(fleet.workers, 1, 'SIGTERM'),
    'an API and a worker are killed': () => `${end(fleet.apis, 1, 'SIGKILL')}; ${end(fleet.workers, 1, 'SIGKILL')}`,
    'two workers are killed': () => end(fleet.workers, 2, 'SIGKILL'),
    'connections to Postgres are cut': async () => `${await fleet.cutConnections(0.5)} connections cut`,
  };
  const rounds = (async () => {
    for (let round = 0; !stopped.signal.aborted; round += 1) {
      await sleep(pauseMs.least + (pauseMs.most - pauseMs.least) * random(), undefined, {
        signal: stopped.signal,
      }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      const special = round % 8 === 5 ? aside[Math.floor(round / 8)] : undefined;
      happened.push(await (special ?? acts[pick(random)]!)());
    }
  })();
  return {
    happened,
    async stop() {
      stopped.abort();
      await rounds;
      await Promise.all(restarting);
      if (failure) throw failure;
    },
  };
}
