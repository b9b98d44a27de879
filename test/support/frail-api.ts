import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { activateModel, cleanUpFitted } from '../../activities/fit/activate-model.ts';
import { buildApp } from '../../api/app.ts';
import type { ApiDeps } from '../../api/deps.ts';
import type { EndedFit, FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { silentLog } from '../../infra/observe/log.ts';
import { activitiesInProcess } from './activities-in-process.ts';

/** The point of a request at which an API process dies, or a job fails. */
export type Fault = 'none' | 'dies before the job' | 'dies during the job' | 'dies after the job' | 'the job fails';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const method = { id: 'none', version: '1', title: 'None' };
const report = { balanced_accuracy: 0.5, chance: 0.5, trials_per_class: { left: 6, right: 6 } };
const failure = { code: 'BACKEND_FAILURE', message: 'The job failed.', reasons: [] } as const;

/** Jobs like Temporal's: one per id, which continues after the process that started it has died. Nothing is trained. */
export function createDurableJobs({ pool, objects }: Pick<ApiDeps, 'pool' | 'objects'>, milliseconds: () => number) {
  const { abandonFit } = activitiesInProcess({ pool, objects });
  const tools = { pool, objects, reach: async () => undefined };
  const jobs = new Map<string, Promise<EndedFit>>();
  const end = async (request: FitRequest, fails: boolean): Promise<EndedFit> => {
    await pause(milliseconds());
    const at = Date.now();
    if (fails) await abandonFit({ request, failure, at });
    else {
      const outcome = await activateModel(tools, request, { method, pins: [], bytes: new Uint8Array([1]), report }, at);
      await cleanUpFitted(tools, request, outcome);
    }
    return (await answerOf(pool, request.jobId))!;
  };
  return async (request: FitRequest, fails: boolean): Promise<EndedFit> => {
    const job = jobs.get(request.jobId) ?? end(request, fails);
    jobs.set(request.jobId, job);
    return job;
  };
}

export interface FrailApp {
  readonly app: FastifyInstance;
  /** From now on the process cannot write anything any more. */
  die(): void;
}

/**
 * An API process that dies at a given point: from then on its pool refuses everything, so it releases no key, no lease
 * and no hold.
 */
export function createFrailApp(deps: ApiDeps, run: ReturnType<typeof createDurableJobs>, fault: Fault): FrailApp {
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
    log: silentLog,
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
