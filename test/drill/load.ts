import { setTimeout as sleep } from 'node:timers/promises';
import { credit } from '../../infra/records/ledger/credit.ts';
import { balancedCaller } from '../chaos/support/balanced-caller.ts';
import { simpleTask, type SimpleTask } from '../chaos/support/simple-tasks.ts';
import { newAccount } from '../support/api.ts';
import type { Site } from './site.ts';

export interface Tenant {
  readonly accountId: string;
  readonly key: string;
  readonly task: SimpleTask;
  /** Ids of the models that were created. */
  readonly models: string[];
}

/** An answered request; times in milliseconds of `performance.now()`. */
interface Answered {
  readonly kind: 'create' | 'predict';
  readonly from: number;
  readonly to: number;
}

export interface Load {
  readonly answered: readonly Answered[];
  /** How often an attempt had this result. */
  readonly seen: ReadonlyMap<string, number>;
  /** Waits until creates and predictions that began after the call are answered. */
  more(): Promise<void>;
  /** Ends it after the running requests. Throws if a request had an answer other than 200 or 201. */
  stop(): Promise<void>;
}

const limits = { rps: 10_000, burst: 100_000, concurrency: 1_000 };

export async function newTenants({ pool }: Pick<Site, 'pool'>, count: number): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let at = 0; at < count; at += 1) {
    const { accountId, key } = await newAccount({ pool }, { limits });
    await credit(pool, { accountId, amount: 900_000_000n, source: 'operator', at: new Date() });
    tenants.push({ accountId, key, task: simpleTask(33, at), models: [] });
  }
  return tenants;
}

/**
 * Each tenant creates a model, predicts ten times with it, and so on; each request is repeated until it is answered.
 * Without `creates`, each predicts with its first model.
 */
export function startLoad(site: () => Site, tenants: readonly Tenant[], { creates = true } = {}): Load {
  const caller = balancedCaller(() => site().apis);
  const answered: Answered[] = [];
  const end = new AbortController();
  const send = async (
    tenant: Tenant,
    kind: Answered['kind'],
    path: string,
    body: string,
  ): Promise<{ readonly id: string }> => {
    const from = performance.now();
    const reply = await caller.send({ key: tenant.key, path, body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    answered.push({ kind, from, to: performance.now() });
    return reply.body as { id: string };
  };
  const live = async (tenant: Tenant): Promise<void> => {
    const create = JSON.stringify(tenant.task.create);
    while (!end.signal.aborted) {
      const id = creates ? (await send(tenant, 'create', '/v1/task-models', create)).id : tenant.models[0]!;
      if (creates) tenant.models.push(id);
      for (let i = 0; i < 10 && !end.signal.aborted; i += 1)
        await send(tenant, 'predict', `/v1/task-models/${id}/predictions`, tenant.task.one);
    }
  };
  const lives = Promise.all(tenants.map(live));
  lives.catch(() => end.abort());
  return {
    answered,
    seen: caller.seen,
    async more() {
      const from = performance.now();
      const has = (kind: Answered['kind']): boolean => answered.some((each) => each.kind === kind && each.from > from);
      while (!end.signal.aborted && !(has('create') && has('predict'))) await sleep(50);
      if (end.signal.aborted) await lives;
    },
    async stop() {
      end.abort();
      await lives;
    },
  };
}

/** Seconds from `from` until a request of the kind that began later was answered. */
export function secondsUntil({ answered }: Load, kind: Answered['kind'], from: number): number {
  const ends = answered.filter((each) => each.kind === kind && each.from > from).map(({ to }) => to);
  return (Math.min(...ends) - from) / 1000;
}

/** Longest time without an answer of the kind after `from`, in seconds. */
export function longestGap({ answered }: Load, kind: Answered['kind'], from: number): number {
  const times = [from, ...answered.filter((each) => each.kind === kind && each.to > from).map(({ to }) => to)];
  return Math.max(...times.slice(1).map((to, at) => to - times[at]!)) / 1000;
}
