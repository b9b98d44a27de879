import { ApplicationFailure } from '@temporalio/common';
import type pg from 'pg';
import { activateModel, cleanUpFitted } from '../../../activities/fit/activate-model.ts';
import type { Activities, FitFailure } from '../../../activities/activities.ts';
import type { ObjectStore } from '../../../infra/drivers/objects/object-store.ts';
import { pendingFit } from '../../../infra/records/fit-jobs/fit-jobs.ts';
import { fitFailureOf } from '../../../workflows/failures.ts';
import type { Fault, How } from './actions.ts';
import type { Clock } from './clock.ts';
import { inProcess, newProcess } from './faulty-pool.ts';
import type { FakeTemporal, StartedJob } from './temporal.ts';

const report = { balanced_accuracy: 0.9, chance: 0.5, trials_per_class: { left: 20, right: 20 } };
const failures = {
  fails: { code: 'CLASSIFIER_FIT_FAILED', message: 'No method could be fitted.', reasons: [] },
  faults: { code: 'BACKEND_FAILURE', message: 'No method could be scored.', reasons: [] },
  gone: { code: 'CLASSIFIER_NOT_FOUND', message: 'It was deleted while it was fitted.', reasons: [] },
} as const;

interface WorkerDeps {
  readonly admin: pg.Pool;
  readonly pool: pg.Pool;
  readonly activities: Activities;
  readonly objects: ObjectStore;
  readonly temporal: FakeTemporal;
  readonly clock: Clock;
}

/** What a worker does in the order of the fit's workflow, each time in a process of its own that may be hit. */
export function createWorker({ admin, pool, activities, objects, temporal, clock }: WorkerDeps) {
  const tools = { pool, objects, reach: async () => undefined };
  /** Runs an activity; `ended` is false where it did not come to its end. */
  async function act(fault: Fault | null, call: () => Promise<unknown>): Promise<{ ended: boolean; hit: boolean }> {
    const process = newProcess(fault);
    const running = inProcess(process, call).then(
      () => true,
      (error: unknown) => {
        if (!process.hit) throw error;
        return false;
      },
    );
    const ended = await Promise.race([running, process.death]);
    return { ended: ended === true, hit: process.hit };
  }

  async function end({ request, fate }: StartedJob): Promise<unknown> {
    const { how, at } = fate!;
    const abandon = (failure: FitFailure) => activities.abandonFit({ request, failure, at });
    if (how !== 'fits') return abandon(failures[how]);
    const method = request.candidates[0]!;
    try {
      const outcome = await activateModel(tools, request, { method, pins: [], bytes: new Uint8Array([1]), report }, at);
      await cleanUpFitted(tools, request, outcome);
      return outcome.result === 'gone' ? await abandon(failures.gone) : outcome.result;
    } catch (error) {
      if (!(error instanceof ApplicationFailure) || !error.nonRetryable) throw error;
      return abandon(fitFailureOf(error));
    }
  }

  return {
    act,
    /** Ends the job of a model, as `how` says unless its workflow had decided; then its request gets its answer. */
    async work(id: string | undefined, how: How, fault: Fault | null): Promise<{ ended: boolean; hit: boolean }> {
      const waiting = id === undefined ? null : await pendingFit(admin, id);
      const job = temporal.jobs.get(id ?? '') ?? (waiting && temporal.start(waiting));
      if (!job) return { ended: false, hit: false };
      job.fate ??= { how, at: clock.now() };
      const done = await act(fault, () => end(job));
      if (done.ended) temporal.end(id!);
      return done;
    },
    /** Workflows learn of jobs that were ended without them, as a wake by the sweep has it. */
    async endFinished(): Promise<void> {
      const running = [...temporal.jobs.values()].map(({ request }) => request.jobId);
      const { rows } = await admin.query<{ id: string }>(
        'SELECT model_id AS id FROM fit_requests WHERE finished_at IS NOT NULL AND job_id = ANY ($1)',
        [running],
      );
      for (const { id } of rows) temporal.end(id);
    },
  };
}
