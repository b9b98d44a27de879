import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Pool } from 'pg';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createAccount } from '../../infra/records/accounts/accounts.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { createMemoryGroup } from './memory-group.ts';
import { labelsOf, noiseBody } from './noise-body.ts';
import { newDataDir, runMain } from './stack.ts';
import { description, path, post, type Attack } from './hostile-clients.ts';

export const memoryLimit = 4 * 1024 ** 3;
/** Accepted requests and jobs may run so long after an attack. */
const longestWorkMs = 150_000;
/** The processes of an idle service use less than this share of one core. */
const idleShare = 0.2;

/** Measurements of the service for its fourth account, and its resources. */
export interface Hostility {
  readonly idle: Served;
  readonly attacked: Served;
  /** Bytes of all processes of the service: before, the most, and within 30 s after its last work. */
  readonly resident: { readonly before: number; readonly most: number; readonly after: number };
  /** Seconds from the end of the attack until the last request and job that were accepted during it ended. */
  readonly remaining: number;
  /** Processes that the kernel ended. */
  readonly killed: number;
  /** Answers of each status to the hostile accounts. */
  readonly answers: Readonly<Record<string, number>>;
}

export interface Served {
  /** Seconds of each small create. */
  readonly creates: readonly number[];
  /** Milliseconds of each small prediction. */
  readonly predictions: readonly number[];
}

/** Whether an accepted fit waits or an attempt of a job runs. */
async function isWorking(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ working: boolean }>(
    `SELECT EXISTS (SELECT FROM job_attempts WHERE ended_at IS NULL)
       OR EXISTS (SELECT FROM fit_requests WHERE finished_at IS NULL) AS working`,
  );
  return rows[0]!.working;
}

/** The clients of the hostile accounts, in a thread of their own; answers by status. */
async function attack(workerData: Attack): Promise<Readonly<Record<string, number>>> {
  const thread = new Worker(new URL('./hostile-clients.ts', import.meta.url), { workerData });
  const [answers] = (await once(thread, 'message')) as [Record<string, number>];
  return answers;
}

/**
 * `npm start` in a control group of 4 GiB, while three test accounts send for `seconds` what costs the service most:
 * thirty batches of the largest size and their fit, eight heavy creates at a time, forty estimates and the largest
 * predictions. A fourth account makes small creates and predictions meanwhile. `pinned`: this process runs on one core.
 * `above`: memory is measured no longer once it is at most so many bytes above that before. A sentence where control
 * groups are not to be had.
 */
export async function underAttack(
  seconds: number,
  { pinned, above }: { readonly pinned: boolean; readonly above?: number },
): Promise<Hostility | string> {
  const group = createMemoryGroup(memoryLimit);
  if (typeof group === 'string') return group;
  await using parts = new AsyncDisposableStack();
  parts.defer(() => group.remove());
  const data = await newDataDir();
  parts.defer(() => data.remove());
  const stack = runMain('start', [], { DATA_DIR: data.path, WARM_UP: 'on' }, undefined, group.members);
  parts.defer(async () => void (await stack.interrupt()));
  await stack.says(/Ready in/, 300);
  if (pinned) execFileSync('taskset', ['-a', '-c', '-p', '0', String(process.pid)]);
  const [, url] = await stack.says(/API\s+(http:\/\/[\w.:]+)/);
  while ((await fetch(`${url}/readyz`)).status === 503) await sleep(200);
  const { databaseUrl } = JSON.parse(await readFile(join(data.path, 'stack.json'), 'utf8')) as { databaseUrl: string };
  const pool = createPool(databaseUrl, { max: 2 });
  parts.defer(() => pool.end());

  const newKey = async (mode: 'live' | 'test'): Promise<string> => {
    const at = new Date();
    const email = `${crypto.randomUUID()}@example.org`;
    const { id: accountId } = await transaction(pool, (sql) =>
      createAccount(sql, { email, passwordHash: 'none', acceptTerms: true, at }),
    );
    if (mode === 'live')
      await transaction(pool, (sql) => credit(sql, { accountId, amount: 10_000_000_000n, source: 'operator', at }));
    return (await createKey(pool, { accountId, mode, at })).key;
  };
  const fourth = await newKey('live');
  const small = noiseBody(40, 3, 256, { description, labels: labelsOf(40) });
  const one = noiseBody(1, 3, 256);
  const created = await post(url, fourth, path, small);
  if (created.status !== 201) throw new Error(`The fourth account's model was answered ${created.status}.`);
  const serve = async (during: AbortSignal): Promise<Served> => {
    const served = { creates: [] as number[], predictions: [] as number[] };
    const creating = async (): Promise<void> => {
      while (!during.aborted) {
        const began = performance.now();
        const { status } = await post(url, fourth, path, small);
        if (status !== 201) throw new Error(`A small create was answered ${status}.`);
        served.creates.push((performance.now() - began) / 1000);
        await sleep(2_000, undefined, { signal: during }).catch(() => undefined);
      }
    };
    const predicting = async (): Promise<void> => {
      while (!during.aborted) {
        const began = performance.now();
        const { status } = await post(url, fourth, `${path}/${created.id}/predictions`, one);
        if (status !== 200) throw new Error(`A small prediction was answered ${status}.`);
        served.predictions.push(performance.now() - began);
        await sleep(200, undefined, { signal: during }).catch(() => undefined);
      }
    };
    await Promise.all([creating(), predicting()]);
    return served;
  };

  const idle = await serve(AbortSignal.timeout(10_000));
  const before = group.resident();
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, group.resident())), 200);
  parts.defer(() => clearInterval(watching));

  const ending = AbortSignal.timeout(seconds * 1000);
  const keys = await Promise.all([newKey('test'), newKey('test'), newKey('test')]);
  const [attacked, answers] = await Promise.all([serve(ending), attack({ url, keys, seconds })]);
  const stopped = performance.now();
  for (let quiet = 0; quiet < 3 && performance.now() - stopped < longestWorkMs;) {
    const [used, at] = [group.cpuSeconds(), performance.now()];
    await sleep(1_000);
    const share = (1_000 * (group.cpuSeconds() - used)) / (performance.now() - at);
    quiet = share > idleShare || (await isWorking(pool)) ? 0 : quiet + 1;
  }
  const remaining = (performance.now() - stopped) / 1000;
  const enough = above === undefined ? 0 : before + above;
  let after = group.resident();
  for (const until = performance.now() + 30_000; after > enough && performance.now() < until; await sleep(1_000))
    after = Math.min(after, group.resident());
  const failed = stack.child.exitCode ?? stack.child.signalCode;
  if (failed !== null) throw new Error(`The service ended (${failed}):\n${stack.output().slice(-4_000)}`);
  return { idle, attacked, resident: { before, most, after }, remaining, killed: group.killed(), answers };
}
