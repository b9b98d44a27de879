import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { WithStartWorkflowOperation, WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Activities, Lifecycle, Scored } from '../../../activities/types.ts';
import type { FitOutcome, FitRequest } from '../../../infra/contract/fit-request.ts';
import { day } from './models.ts';

/** What a branch may do: the client, the queue, the server's clock. */
export interface Stage {
  readonly client: Client;
  readonly taskQueue: string;
  now(): Promise<number>;
  sleep(ms: number): Promise<void>;
}

export interface Branch {
  /** File name of its histories. */
  readonly name: string;
  readonly what: string;
  readonly activities: (calls: string[]) => Partial<Activities>;
  readonly drive: (stage: Stage, modelId: string) => Promise<unknown>;
  /** Activities in the order they were called, without repetitions of `readLifecycle`. */
  readonly calls: readonly string[];
  readonly result?: unknown;
}

const candidates = ['tangent', 'csp', 'power'].map((id) => ({
  id,
  version: '1',
  title: `Method ${id}`,
  family: 'family',
}));

export const requestFor = (modelId: string, jobId = 'job-1'): FitRequest => ({
  jobId,
  modelId,
  accountId: 'account',
  mode: 'live',
  taskKind: 'motor',
  source: { staged: `staged/${modelId}/${jobId}` },
  candidates,
  skipped: [],
  featureSets: ['cov/8-32'],
  warnings: [],
  idempotencyKey: null,
  holdId: 'hold',
  requestId: 'req',
});

const lifecycle = (status: Lifecycle['status'], o: Partial<Lifecycle> = {}): Lifecycle => ({
  status,
  accountId: 'account',
  mode: 'live',
  taskKind: 'motor',
  due: null,
  unpaid: false,
  notes: [],
  pendingFit: null,
  ...o,
});
const scored = (method: string, status: Scored['status']): Scored => ({
  method,
  title: `Method ${method}`,
  status,
  reason: status === 'failed' ? 'Its covariances are singular.' : null,
  balancedAccuracy: status === 'scored' ? 0.8 : null,
  seconds: 1,
  ref: `fits/${method}`,
  fault: false,
});

const startOf = (stage: Stage, modelId: string) =>
  new WithStartWorkflowOperation('taskModel', {
    workflowId: modelId,
    taskQueue: stage.taskQueue,
    args: [{ modelId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
interface FitOptions {
  readonly jobId?: string;
  readonly start?: ReturnType<typeof startOf>;
  readonly candidates?: FitRequest['candidates'];
}
const fit = (
  stage: Stage,
  modelId: string,
  { jobId = 'job-1', start = startOf(stage, modelId), candidates: own = candidates }: FitOptions = {},
): Promise<FitOutcome> =>
  stage.client.workflow.executeUpdateWithStart('fit', {
    args: [{ ...requestFor(modelId, jobId), candidates: own }],
    updateId: jobId,
    startWorkflowOperation: start,
  });
const refresh = (stage: Stage, modelId: string) =>
  stage.client.workflow.signalWithStart('taskModel', {
    workflowId: modelId,
    taskQueue: stage.taskQueue,
    args: [{ modelId }],
    signal: 'refresh',
  });
const end = (stage: Stage, modelId: string): Promise<unknown> =>
  stage.client.workflow.result(modelId, undefined, { followRuns: false }).catch((error: Error) => error.name);
const unhurried = (): Promise<void> => sleep(400);

/** Activities of a fit that goes well, but for a candidate that fails and one that the service could not score. */
const fitting = (calls: string[], state: { at: Lifecycle | null }, after: Lifecycle | null): Partial<Activities> => ({
  async readLifecycle() {
    return state.at;
  },
  async extractFeatures() {
    calls.push('extractFeatures');
    return { ref: 'fits/features', trials: 20, classes: 2, sessions: 1 };
  },
  async scoreCandidate({ candidate }) {
    if (candidate.id === 'power') throw ApplicationFailure.nonRetryable('The thread ended.');
    return scored(candidate.id, candidate.id === 'csp' ? 'failed' : 'scored');
  },
  async chooseAndRefit({ scores }) {
    calls.push(`chooseAndRefit of ${scores.map(({ status, fault }) => (fault ? 'fault' : status)).join(', ')}`);
    return {
      method: candidates[0]!,
      pins: ['method:tangent@1'],
      balancedAccuracy: 0.8,
      chance: 0.5,
      modelRef: 'models/m',
      reportRef: 'fits/report',
    };
  },
  async activateModel() {
    calls.push('activateModel');
    state.at = after;
    return { result: 'activated', status: 201 };
  },
  async abandonFit({ failure }) {
    calls.push(`abandonFit ${failure.code}`);
    state.at = after;
    return { result: 'abandoned', status: 422 };
  },
  async cleanUpModel() {
    calls.push('cleanUpModel');
  },
  async settleLifecycle() {
    calls.push('settleLifecycle');
    return { renewed: 0, finished: true, happened: [] };
  },
});

/** One row per way through the workflows. */
export const branches: readonly Branch[] = [
  {
    name: 'create',
    what: 'an immediate create that is fitted, and is deleted later',
    activities: (calls) =>
      fitting(
        calls,
        { at: lifecycle('fitting') },
        lifecycle('active', { due: { at: 4e12, what: 'Next hosting month charged' } }),
      ),
    async drive(stage, id) {
      const outcome = await fit(stage, id);
      await unhurried();
      return outcome;
    },
    calls: ['extractFeatures', 'chooseAndRefit of scored, failed, fault', 'activateModel'],
    result: { result: 'activated', status: 201 },
  },
  {
    name: 'create-average',
    what: 'averages that wait for their members, one of which fails',
    activities: (calls) => ({
      ...fitting(
        calls,
        { at: lifecycle('fitting') },
        lifecycle('active', { due: { at: 4e12, what: 'Next hosting month charged' } }),
      ),
      async scoreCandidate({ candidate, members }) {
        if (members) calls.push(`scoreCandidate ${candidate.id} of ${members.join(', ')}`);
        return candidate.id === 'csp' ? { ...scored('csp', 'failed'), ref: null } : scored(candidate.id, 'scored');
      },
    }),
    async drive(stage, id) {
      const averages = [
        ['tangent', 'power'],
        ['tangent', 'csp'],
      ].map((members) => ({ id: members.join('+'), version: '1', title: 'Average', family: 'family', members }));
      const outcome = await fit(stage, id, { candidates: [...candidates, ...averages] });
      await unhurried();
      return outcome;
    },
    calls: [
      'extractFeatures',
      'scoreCandidate tangent+power of fits/tangent, fits/power',
      'chooseAndRefit of scored, failed, scored, scored, failed',
      'activateModel',
    ],
    result: { result: 'activated', status: 201 },
  },
  {
    name: 'create-failed',
    what: 'a create that no method could fit',
    activities: (calls) => ({
      ...fitting(calls, { at: lifecycle('fitting') }, null),
      scoreCandidate: async ({ candidate }) => scored(candidate.id, 'failed'),
    }),
    async drive(stage, id) {
      const outcome = await fit(stage, id);
      await end(stage, id);
      return outcome;
    },
    calls: ['extractFeatures', 'abandonFit CLASSIFIER_FIT_FAILED', 'cleanUpModel'],
    result: { result: 'abandoned', status: 422 },
  },
  {
    name: 'create-broken',
    what: 'a create whose signal could not be read',
    activities: (calls) => ({
      ...fitting(calls, { at: lifecycle('fitting') }, null),
      async extractFeatures() {
        throw ApplicationFailure.nonRetryable('gone', 'BACKEND_FAILURE');
      },
    }),
    async drive(stage, id) {
      await fit(stage, id);
      await end(stage, id);
    },
    calls: ['abandonFit BACKEND_FAILURE', 'cleanUpModel'],
  },
  {
    name: 'pending-fit',
    what: 'a job that Postgres knows and whose update was lost',
    activities: (calls) => {
      const state: { at: Lifecycle | null } = { at: null };
      return {
        ...fitting(calls, state, lifecycle('deleted', { due: { at: 0, what: 'Delete what the model needs no more' } })),
        async readLifecycle({ modelId }) {
          state.at ??= lifecycle('fitting', { pendingFit: requestFor(modelId) });
          return state.at;
        },
      };
    },
    async drive(stage, id) {
      await refresh(stage, id);
      await end(stage, id);
    },
    calls: ['extractFeatures', 'chooseAndRefit of scored, failed, fault', 'activateModel', 'settleLifecycle'],
  },
  {
    name: 'deleted-while-fitting',
    what: 'a model that is deleted while a candidate is scored',
    activities: (calls) => {
      const state: { at: Lifecycle | null } = { at: lifecycle('collecting') };
      return {
        ...fitting(calls, state, lifecycle('deleted', { due: { at: 0, what: 'Delete what the model needs no more' } })),
        async scoreCandidate({ candidate }) {
          if (candidate.id !== 'tangent') return scored(candidate.id, 'scored');
          state.at = lifecycle('deleted', { due: { at: 0, what: 'Delete what the model needs no more' } });
          const beat = setInterval(() => Context.current().heartbeat(), 100);
          return Context.current().cancelled.finally(() => clearInterval(beat));
        },
      };
    },
    async drive(stage, id) {
      const start = startOf(stage, id);
      const state = { ended: false };
      const running = fit(stage, id, { jobId: 'job-2', start }).finally(() => (state.ended = true));
      // Signals only once the run exists: this test server does not start it atomically when two calls race for it.
      const model = await Promise.race([start.workflowHandle(), running.then(() => start.workflowHandle())]);
      for (; !state.ended; await unhurried()) {
        await model.signal('refresh').catch((error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
        });
      }
      const outcome = await running;
      await end(stage, id);
      return outcome;
    },
    calls: ['extractFeatures', 'abandonFit CLASSIFIER_NOT_FOUND', 'settleLifecycle'],
  },
  {
    name: 'collecting-ends',
    what: 'seven days without a fit',
    activities: (calls) => {
      let start = 0;
      return {
        readLifecycle: async ({ at }) =>
          lifecycle('collecting', {
            due: { at: (start ||= at) + 7 * day, what: 'Deleted unless fitted within 7 days' },
          }),
        async settleLifecycle({ at }) {
          calls.push(`settleLifecycle on day ${Math.round((at - start) / day)}`);
          return { renewed: 0, finished: true, happened: [] };
        },
      };
    },
    async drive(stage, id) {
      await refresh(stage, id);
      await end(stage, id);
    },
    calls: ['settleLifecycle on day 7'],
  },
  {
    name: 'renewal',
    what: 'a hosting month that is charged, in a run of its own',
    activities: (calls) => {
      let start = 0;
      let renewed = 0;
      return {
        readLifecycle: async ({ at }) =>
          lifecycle('active', {
            due: { at: (start ||= at) + 30 * day * (renewed + 1), what: 'Next hosting month charged' },
          }),
        async settleLifecycle({ at }) {
          renewed += 1;
          calls.push(`settleLifecycle on day ${Math.round((at - start) / day)}`);
          return { renewed: 1, finished: renewed === 2, happened: ['Hosting month charged'] };
        },
      };
    },
    async drive(stage, id) {
      await refresh(stage, id);
      await stage.sleep(70 * day);
    },
    calls: ['settleLifecycle on day 30', 'settleLifecycle on day 60'],
  },
  {
    name: 'unpaid',
    what: 'a month that could not be charged, and the credit that comes two days later',
    activities: (calls) => {
      let start = 0;
      let tries = 0;
      const dueOf = (): Lifecycle['due'] => ({ at: start + (30 + tries) * day, what: 'Hosting month charged' });
      return {
        async readLifecycle({ at }) {
          start ||= at;
          return lifecycle(tries > 3 ? 'deleted' : 'active', { unpaid: tries > 0 && tries < 3, due: dueOf() });
        },
        async settleLifecycle({ at }) {
          tries += 1;
          calls.push(`settleLifecycle on day ${((at - start) / day).toFixed(1)}`);
          return { renewed: 0, finished: tries === 3, happened: [] };
        },
      };
    },
    async drive(stage, id) {
      await refresh(stage, id);
      await stage.sleep(31.5 * day);
      await refresh(stage, id);
      await end(stage, id);
    },
    calls: ['settleLifecycle on day 30.0', 'settleLifecycle on day 31.0', 'settleLifecycle on day 31.5'],
  },
  {
    name: 'reconcile',
    what: 'the daily reconciler over two pages of models',
    activities: (calls) => ({
      async sweep() {
        calls.push('sweep');
        return { healed: ['1 expired leases removed'], problems: [] };
      },
      async reconcileModels({ after }) {
        calls.push(`reconcileModels after ${after}`);
        return { healed: [], problems: [], next: after === null ? 'clf_1' : null };
      },
      async checkBooks() {
        calls.push('checkBooks');
        return { healed: [], problems: ['a row'] };
      },
    }),
    drive: (stage, id) =>
      stage.client.workflow.execute('reconcile', {
        workflowId: id,
        taskQueue: stage.taskQueue,
        args: [{ scope: 'full' }],
      }),
    calls: ['sweep', 'reconcileModels after null', 'reconcileModels after clf_1', 'checkBooks'],
    result: { healed: ['1 expired leases removed'], problems: ['a row'] },
  },
];
