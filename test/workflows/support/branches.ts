import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Lifecycle } from '../../../activities/activities.ts';
import { created, end, fit, fitting, lifecycle, refresh, requestFor, unhurried, type Branch } from './branch-steps.ts';
import { day } from './models.ts';

/** One row per way through the workflows. */
export const branches: readonly Branch[] = [
  {
    name: 'create',
    what: 'an immediate create that is fitted, and is deleted later',
    activities: created,
    async drive(stage, id) {
      const outcome = await fit(stage, id);
      await unhurried();
      return outcome;
    },
    calls: ['fitModel'],
    result: { result: 'activated', status: 201 },
  },
  {
    name: 'create-begins-model',
    what: 'a create that the API has fitted, and whose model begins with its answer',
    activities: created,
    async drive({ client, taskQueue }, id) {
      const outcome = await client.workflow.execute('fitTaskModel', {
        workflowId: id,
        taskQueue,
        args: [requestFor(`${id}-model`)],
      });
      await unhurried();
      return outcome;
    },
    calls: ['fitModel'],
    result: { result: 'activated', status: 201 },
  },
  {
    name: 'create-failed',
    what: 'a create that no method could fit',
    activities: (calls) => ({
      ...fitting(calls, { at: lifecycle('fitting') }, null),
      async fitModel() {
        throw ApplicationFailure.nonRetryable('None of the 3 methods could be fitted.', 'CLASSIFIER_FIT_FAILED');
      },
    }),
    async drive(stage, id) {
      const outcome = await fit(stage, id);
      await end(stage, id);
      return outcome;
    },
    calls: ['abandonFit CLASSIFIER_FIT_FAILED', 'cleanUpModel'],
    result: { result: 'abandoned', status: 422 },
  },
  {
    name: 'create-given-up',
    what: 'a create whose activity fails for an hour',
    takesDays: true,
    activities: (calls) => {
      return {
        ...fitting(calls, { at: lifecycle('fitting') }, null),
        async fitModel() {
          throw new Error('The store was away.');
        },
        async abandonFit({ failure: { code, reasons } }) {
          calls.push(`abandonFit ${code}: ${reasons.map(({ reason }) => reason).join(' ')}`);
          return { result: 'abandoned', status: 502 };
        },
      };
    },
    drive: ({ client, taskQueue }, id) =>
      client.workflow.execute('fitTaskModel', { workflowId: id, taskQueue, args: [requestFor(`${id}-model`)] }),
    calls: ['abandonFit BACKEND_FAILURE: The store was away.'],
    result: { result: 'abandoned', status: 502 },
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
    calls: ['fitModel', 'settleLifecycle'],
  },
  {
    name: 'deleted-while-fitting',
    what: 'a model that is deleted while it is fitted',
    activities: (calls) => {
      const state: { at: Lifecycle | null } = { at: lifecycle('collecting') };
      return {
        ...fitting(calls, state, lifecycle('deleted', { due: { at: 0, what: 'Delete what the model needs no more' } })),
        async fitModel() {
          state.at = lifecycle('deleted', { due: { at: 0, what: 'Delete what the model needs no more' } });
          const beat = setInterval(() => Context.current().heartbeat(), 100);
          return Context.current().cancelled.finally(() => clearInterval(beat));
        },
      };
    },
    async drive(stage, id) {
      const state = { ended: false };
      const running = fit(stage, id, { jobId: 'job-2' }).finally(() => (state.ended = true));
      // The answer to the update comes only when it ends, or after twenty seconds: until the run exists none is found.
      const model = stage.client.workflow.getHandle(id);
      for (; !state.ended; await unhurried()) {
        await model.signal('refresh').catch((error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
        });
      }
      const outcome = await running;
      await end(stage, id);
      return outcome;
    },
    calls: ['abandonFit CLASSIFIER_NOT_FOUND', 'settleLifecycle'],
  },
  {
    name: 'collecting-ends',
    what: 'seven days without a fit',
    takesDays: true,
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
    takesDays: true,
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
    takesDays: true,
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
      async reconcileModels({ after, found }) {
        calls.push(`reconcileModels after ${after}`);
        return { healed: [], problems: [], next: after === null ? 'clf_1' : null, found };
      },
      async checkBooks() {
        calls.push('checkBooks');
        return { healed: [], problems: ['a row'] };
      },
      async tidyReference() {
        calls.push('tidyReference');
        return { healed: ['1 fits on reference recordings removed'], problems: [] };
      },
      async tidyObjects() {
        calls.push('tidyObjects');
        return { healed: [], problems: [] };
      },
    }),
    drive: (stage, id) =>
      stage.client.workflow.execute('reconcile', {
        workflowId: id,
        taskQueue: stage.taskQueue,
        args: [{ scope: 'full' }],
      }),
    calls: [
      'checkBooks',
      'reconcileModels after clf_1',
      'reconcileModels after null',
      'sweep',
      'tidyObjects',
      'tidyReference',
    ],
    inAnyOrder: true,
    result: {
      healed: ['1 expired leases removed', '1 fits on reference recordings removed'],
      problems: ['a row'],
      more: 0,
    },
  },
];
