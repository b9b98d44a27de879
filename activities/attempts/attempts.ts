import { setTimeout as sleep } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { isStoreUnavailable } from '../../infra/drivers/objects/bytes.ts';
import { isUnreachable } from '../../infra/drivers/postgres/errors.ts';
import { processName } from '../../infra/drivers/process-name.ts';
import { deaths } from '../../infra/observe/metrics.ts';
import {
  beginAttempt,
  endAttempt,
  judgeAttempts,
  type AttemptEnd,
  type BegunAttempt,
  type Past,
} from '../../infra/records/deaths/job-attempts.ts';
import type { ActivityDeps } from '../deps.ts';
import { createGate } from './gate.ts';

/** A job whose attempts are recorded. */
export interface RecordedJob<T> {
  /** The same in all attempts of the job, different for every other job. */
  readonly id: string;
  readonly kind: 'fit' | 'reference' | 'reconcile';
  /**
   * Whether an attempt that waits behind a job that runs alone returns to the queue of Temporal, so that another worker
   * can take it. Returning uses up one attempt of the retry policy.
   */
  readonly mayRequeue: boolean;
  /** Attempts that may fail before the job is given up; absent: the retry policy decides. */
  readonly mostFailed?: number;
  /** Ends a job that is not tried again. `killed`: it ended its process twice, the second time while it ran alone. */
  givenUp(why: 'killed' | 'failed'): T | Promise<T>;
}

/** Runs an attempt. `work` receives the number of earlier attempts that failed without ending their process. */
export type RunAttempt = <T>(
  job: RecordedJob<T>,
  signal: AbortSignal,
  work: (failed: number) => Promise<T>,
) => Promise<T>;

/** An attempt that may return to the queue waits this long for its turn. */
const patienceMs = 5_000;
const backAfter = '1 second';
/** An earlier attempt with an unknown end counts as lost after this time. */
const longestJudgingMs = 60_000;
const judgeMs = 500;
/** If the end of an attempt could not be recorded, recording is retried at this interval, this many times. */
const again = { ms: 5_000, times: 60 } as const;

/**
 * Records every attempt of a job before its work starts, so that a process that dies leaves a trace. After an
 * unexplained death, each job that ran in the process runs alone in its next attempt. A job whose process dies while it
 * runs alone is given up, so one job ends at most two processes. Planned stops, cancellations and outages do not count.
 * In a process that also serves the API, a prediction may run at the same time; a death then still counts against the
 * job.
 */
export function createAttempts({ pool, log }: Pick<ActivityDeps, 'pool' | 'log'>): RunAttempt {
  const gate = createGate();

  /** Waits until the ends of the job's earlier attempts are known. */
  const judge = async (job: string, signal: AbortSignal): Promise<Past> => {
    const begun = performance.now();
    for (let since: Date | null = null; ;) {
      const past = await judgeAttempts(pool, { job, process: processName, since });
      const late = performance.now() - begun > longestJudgingMs;
      if (past.unknown === 0 || late) return past;
      since ??= past.at;
      await sleep(judgeMs, undefined, { signal });
    }
  };

  const begin = async (
    job: Pick<RecordedJob<unknown>, 'id' | 'mayRequeue'>,
    signal: AbortSignal,
  ): Promise<{ begun: BegunAttempt; leave: () => void } | null> => {
    for (let alone = false; ;) {
      const leave = await gate.enter({ alone, signal, patienceMs: !alone && job.mayRequeue ? patienceMs : Infinity });
      if (!leave) throw requeued();
      const begun = await beginAttempt(pool, { job: job.id, process: processName, alone }).catch((error: unknown) => {
        leave();
        throw error;
      });
      if (begun) return { begun, leave };
      leave();
      const { died, diedAlone, unknown } = await judge(job.id, signal);
      if (diedAlone > 0) return null;
      if (died > 0) log?.warn('A worker process ended while a job ran in it. The job runs alone now.', { job: job.id });
      // The job also runs alone if the end of an earlier attempt is unknown: its process may have died.
      alone = died > 0 || unknown > 0;
    }
  };

  /** Never rejects. An end that is not recorded counts as lost while the process lives. */
  const end = async (attempt: Parameters<typeof endAttempt>[1]): Promise<void> => {
    const save = (): Promise<boolean> =>
      endAttempt(pool, attempt).then(
        () => true,
        () => false,
      );
    if (await save()) return;
    void (async () => {
      for (let times = 0; times < again.times; times += 1) {
        await sleep(again.ms, undefined, { ref: false });
        if (await save()) return;
      }
    })();
  };

  return async (job, signal, work) => {
    const entered = await begin(job, signal);
    if (!entered) {
      deaths.givenUp.inc({ kind: job.kind });
      log?.error('A job was given up: it ended its process twice, the second time alone.', { job: job.id });
      return await job.givenUp('killed');
    }
    const {
      begun: { attempt, failed },
      leave,
    } = entered;
    let how: AttemptEnd = 'done';
    try {
      if (failed >= (job.mostFailed ?? Infinity)) return await job.givenUp('failed');
      return await work(failed);
    } catch (error) {
      const isOutage = isUnreachable(error) || isStoreUnavailable(error);
      how = signal.aborted ? 'stopped' : isOutage ? 'outage' : 'failed';
      throw error;
    } finally {
      await end({ job: job.id, attempt, how });
      leave();
    }
  };
}

/** Temporal gives the attempt to a worker again, perhaps to a different one. */
const requeued = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'WorkerBusy',
    message: 'A job runs alone in this worker. This one goes back to the queue.',
    nextRetryDelay: backAfter,
  });
