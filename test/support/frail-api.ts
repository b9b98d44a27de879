import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { buildApp } from '../../api/app.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import type { ApiDeps } from '../../api/deps.ts';
import { taskModelResource } from '../../api/contract/task-model-resource.ts';
import { finishIdempotency, freeIdempotency } from '../../infra/records/admission/index.ts';
import { capture, release } from '../../infra/records/ledger/index.ts';
import { activate, dropFitting } from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import type { FitAnswer, FitRequest } from '../../infra/contract/fit-request.ts';

/** Where an API process dies, or a job fails, in the course of a request. */
export type Fault = 'none' | 'dies before the job' | 'dies during the job' | 'dies after the job' | 'the job fails';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Jobs as Temporal runs them: one per id, going on when the process that asked for it has died. Nothing is trained. */
export function createSteadyJobs(pool: Pool, milliseconds: () => number) {
  const jobs = new Map<string, Promise<FitAnswer>>();
  const end = async (request: FitRequest, fails: boolean): Promise<FitAnswer> => {
    await pause(milliseconds());
    const { modelId, accountId, mode, holdId, idempotencyKey } = request;
    const at = new Date();
    return transaction(pool, async (sql) => {
      if (fails) {
        await release(sql, holdId);
        await dropFitting(sql, modelId);
        if (idempotencyKey) await freeIdempotency(sql, { accountId, key: idempotencyKey });
        return { status: 502, body: '' };
      }
      const record = await activate(sql, {
        id: modelId,
        fittedAt: at,
        method: { id: 'none', version: '1', title: 'None' },
        classes: ['left', 'right'],
        trainingReport: { balanced_accuracy: 0.5, chance: 0.5 },
        modelRef: `models/${modelId}`,
      });
      await capture(sql, holdId, { modelId, accountId, mode, at, fittedAt: at });
      const answer = { status: 201, body: JSON.stringify(taskModelResource(record!, at)) };
      if (idempotencyKey) await finishIdempotency(sql, { accountId, key: idempotencyKey, ...answer });
      return answer;
    });
  };
  return async (request: FitRequest, fails: boolean): Promise<FitAnswer> => {
    const job = jobs.get(request.jobId) ?? end(request, fails);
    jobs.set(request.jobId, job);
    const answer = await job;
    if (answer.status === 502) throw new ApiError('BACKEND_FAILURE', 'The job failed.');
    return answer;
  };
}

export interface FrailApp {
  readonly app: FastifyInstance;
  /** From now on the process cannot write anything any more. */
  die(): void;
}

/** An API process that dies at a point: its pool refuses everything from then on, so it frees no key, no lease and no hold. */
export function createFrailApp(deps: ApiDeps, run: ReturnType<typeof createSteadyJobs>, fault: Fault): FrailApp {
  let dead = false;
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    dead ? Promise.reject(new Error('the process is dead')) : work();
  const pool = {
    query: (...args: unknown[]) => alive(() => (deps.pool.query as (...each: unknown[]) => Promise<unknown>)(...args)),
    connect: () => alive(() => deps.pool.connect()),
  } as unknown as Pool;
  const app = buildApp({
    ...deps,
    pool,
    log: () => undefined,
    jobs: {
      ...deps.jobs,
      async runFit(request) {
        if (fault === 'dies before the job') dead = true;
        if (dead) throw new Error('the process is dead');
        const job = run(request, fault === 'the job fails');
        if (fault === 'dies during the job') {
          dead = true;
          job.catch(() => undefined);
          throw new Error('the process is dead');
        }
        const answer = await job;
        if (fault === 'dies after the job') dead = true;
        return answer;
      },
    },
  });
  return { app, die: () => void (dead = true) };
}
