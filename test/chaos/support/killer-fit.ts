import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { balance } from '../../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../../infra/records/ledger/check.ts';
import type { FitAnswer } from '../../../infra/contract/fit-request.ts';
import { stagedFit } from '../../workflows/support/fits.ts';
import { charges } from '../../workflows/support/models.ts';
import type { World } from '../../workflows/support/world.ts';
import { superviseWorker, type Supervised } from './supervised.ts';
import { onQueue } from './work.ts';

interface Row {
  readonly job: string;
  readonly process: string;
  readonly alone: boolean;
  readonly how: string | null;
}

const attemptsOf = async (world: World, ...jobs: string[]): Promise<Row[]> =>
  (
    await world.db.pool.query<Row>(
      'SELECT job, process, alone, how FROM job_attempts WHERE job = ANY ($1) ORDER BY job, attempt',
      [jobs],
    )
  ).rows;

async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(100)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error('It did not come to pass within two minutes.');
}

/**
 * Two fits in one worker process, which is killed. Whichever worker then runs the killer is killed again; the neighbour may
 * pass. The killer must fail and cost nothing, the neighbour must succeed.
 */
export async function killTwice(world: World, count: number): Promise<void> {
  const gate = 'extract:before-features';
  const first = await superviseWorker(world, null, { gate });
  const workers: Supervised[] = [first];
  try {
    const queue = onQueue(world, first.taskQueue);
    const [payer, other] = [await world.account(10_000_000n), await world.account(10_000_000n)];
    const killer = await stagedFit(queue, payer, { key: crypto.randomUUID() });
    const neighbour = await stagedFit(queue, other);
    const answers = Promise.all([queue.jobs.runFit(killer), queue.jobs.runFit(neighbour)]);
    let ended: readonly FitAnswer[] | null = null;
    void answers.then((both) => (ended = both));
    await until(async () => (await attemptsOf(world, killer.jobId, neighbour.jobId)).length === 2);
    while (workers.length < count)
      workers.push(await superviseWorker(world, null, { gate, taskQueue: first.taskQueue }));
    first.kill('SIGKILL');

    const seen = new Set<string>();
    await until(async () => {
      const rows = await attemptsOf(world, killer.jobId, neighbour.jobId);
      for (const { job, process, alone } of rows.filter(({ how }) => how === null)) {
        const worker = workers.find((each) => process.split('/')[1] === String(each.pid()));
        if (!alone || !worker || seen.has(`${job} ${process}`)) continue;
        seen.add(`${job} ${process}`);
        if (job === killer.jobId) worker.kill('SIGKILL');
        else await worker.go();
      }
      return ended !== null;
    });

    const [failed, succeeded] = await answers;
    expect([failed.status, JSON.parse(failed.body).code]).toEqual([422, 'CLASSIFIER_FIT_FAILED']);
    expect(JSON.parse(failed.body).message).toContain('ended the process that ran it twice');
    expect(succeeded.status, succeeded.body).toBe(201);
    expect(await charges(world, killer.modelId, 0)).toEqual([]);
    expect(await charges(world, neighbour.modelId, 0)).toHaveLength(2);
    expect((await balance(world.db.pool, payer)).held).toBe(0n);
    expect(await checkLedger(world.db.pool)).toMatchObject({ ok: true, problems: [] });
    const said = async (job: string) => (await attemptsOf(world, job)).map(({ alone, how }) => `${alone} ${how}`);
    expect(await said(killer.jobId)).toEqual(['false died', 'true died']);
    await expect.poll(() => said(neighbour.jobId)).toEqual(['false died', 'true done']);
    const deaths = workers.reduce((sum, worker) => sum + worker.deaths(), 0);
    expect(deaths, 'the killer ends two processes').toBe(2);
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}
