import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { expect } from 'vitest';
import type { Activities, PreparedPerson } from '../../../activities/activities.ts';
import { end, unhurried, type Branch, type Stage } from './branch-steps.ts';

const prepare = (stage: Stage, workflowId: string, task: string) =>
  stage.client.workflow.signalWithStart('prepareReference', {
    workflowId,
    taskQueue: stage.taskQueue,
    args: [{ set: 'eegmmidb', version: '1.0.0', tasks: [] }],
    signal: 'prepare',
    signalArgs: [task],
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
const startFit = (stage: Stage, workflowId: string) =>
  stage.client.workflow.start('fitReference', {
    workflowId,
    taskQueue: stage.taskQueue,
    args: [
      {
        key: 'key',
        set: 'eegmmidb',
        version: '1.0.0',
        task: 'eyes-open-closed',
        classes: ['eyes_open', 'eyes_closed'],
        shape: { channelNames: ['O1', 'O2'], seconds: 2, sourceRateHz: 250 },
      },
    ],
  });

const used: PreparedPerson = { status: 'used', files: 2, bytes: 1e6, reason: null };

interface Told {
  readonly people?: readonly string[];
  readonly person?: (person: string, attempt: number) => Promise<PreparedPerson> | PreparedPerson;
}

const preparing = (calls: string[], { people = ['P1', 'P2'], person = () => used }: Told): Partial<Activities> => {
  const attempts = new Map<string, number>();
  const surveyed = new Set<string>();
  return {
    async surveyReference({ key: { task } }) {
      calls.push(`surveyReference ${task}`);
      if (surveyed.has(task)) return { found: 'ended', status: 'ready' };
      surveyed.add(task);
      return { found: 'people', people, files: 2 * people.length };
    },
    async preparePerson({ person: name }) {
      attempts.set(name, (attempts.get(name) ?? 0) + 1);
      calls.push('preparePerson');
      return await person(name, attempts.get(name)!);
    },
    async settlePreparation({ stopped, lost }) {
      const why = stopped ? `${stopped.status}, ${stopped.reason}` : lost.map(({ reason }) => reason).join(' ');
      calls.push(`settlePreparation of ${attempts.size}: ${why}`);
      return { status: stopped?.status ?? (lost.length ? 'failed' : 'ready'), reason: null, people: null };
    },
  };
};

/** Where the branch is driven whose activity asks for another task. */
let onStage: Stage | null = null;
/** Its activity has begun. */
const inHand = Promise.withResolvers<void>();

/** What is asked for while it is written down that a task was cancelled: the one at hand, and the one that waits. */
const whileSettled: Readonly<Record<string, string>> = {
  'eyes-open-closed': 'left-right-fist',
  'fists-feet-imagined': 'left-right-fist-imagined',
};

const fitted = { people: 6, balancedAccuracy: 0.8, chance: 0.5, interval95: [0.7, 0.9] } as const;

/** One row per way through the workflows of reference data. */
export const referenceBranches: readonly Branch[] = [
  {
    name: 'reference-prepared',
    what: 'a task with a person whose transfer is interrupted at first, asked for twice, and another task after it',
    activities: (calls) =>
      preparing(calls, {
        person: (person, attempt) =>
          person === 'P2' && attempt === 1
            ? { status: 'interrupted', files: 1, bytes: 1, reason: 'P2.edf stopped half way.' }
            : used,
      }),
    async drive(stage, id) {
      await prepare(stage, id, 'eyes-open-closed');
      await unhurried();
      await prepare(stage, id, 'fists-feet-imagined');
      await prepare(stage, id, 'eyes-open-closed');
      return await end(stage, id);
    },
    calls: [
      'surveyReference eyes-open-closed',
      'preparePerson',
      'settlePreparation of 2: ',
      'surveyReference fists-feet-imagined',
      'preparePerson',
      'settlePreparation of 2: ',
      'surveyReference eyes-open-closed',
    ],
  },
  {
    name: 'reference-stopped',
    what: 'no route to the source, which ends it before the others are tried',
    activities: (calls) =>
      preparing(calls, {
        people: ['P1', 'P2', 'P3', 'P4', 'P5', 'P6'],
        async person() {
          await unhurried();
          return { status: 'stopped', stopped: { status: 'required', retryable: false, reason: 'No route.' } };
        },
      }),
    async drive(stage, id) {
      await prepare(stage, id, 'eyes-open-closed');
      return await end(stage, id);
    },
    calls: ['surveyReference eyes-open-closed', 'preparePerson', 'settlePreparation of 3: required, No route.'],
  },
  {
    name: 'reference-unreachable',
    what: 'a source whose transfers are all interrupted, which ends it before all people are tried',
    takesDays: true,
    activities: (calls) =>
      preparing(calls, {
        people: Array.from({ length: 30 }, (_, i) => `P${i + 1}`),
        person: () => ({ status: 'interrupted', files: 0, bytes: 0, reason: 'x.edf stopped half way.' }),
      }),
    async drive(stage, id) {
      await prepare(stage, id, 'eyes-open-closed');
      return await end(stage, id);
    },
    calls: [
      'surveyReference eyes-open-closed',
      'preparePerson',
      // In each round none to two more are tried than five: those under way when the fifth ended.
      expect.stringMatching(
        /^settlePreparation of (1[5-9]|2[01]): failed, (9|1[0-5]) of 30 people were not tried, because the transfers /,
      ),
    ],
  },
  {
    name: 'reference-lost',
    what: 'a person whom the service cannot prepare; the others are',
    activities: (calls) =>
      preparing(calls, {
        person(person) {
          if (person === 'P1') throw ApplicationFailure.nonRetryable('The thread ended.');
          return used;
        },
      }),
    async drive(stage, id) {
      await prepare(stage, id, 'eyes-open-closed');
      return await end(stage, id);
    },
    calls: [
      'surveyReference eyes-open-closed',
      'preparePerson',
      'settlePreparation of 2: P1 could not be prepared on the service side.',
    ],
  },
  {
    name: 'reference-cancelled',
    what: 'a cancellation with a task at hand and one that waits; those that are asked for after it are prepared',
    activities(calls) {
      const usual = preparing(calls, {
        people: ['P1'],
        person(_, attempt) {
          if (attempt > 1) return used;
          inHand.resolve();
          const context = Context.current();
          const beat = setInterval(() => context.heartbeat(), 100);
          return context.cancelled.finally(() => clearInterval(beat));
        },
      });
      return {
        ...usual,
        async settlePreparation(input) {
          const { workflowId } = Context.current().info.workflowExecution!;
          const asked = whileSettled[input.key.task];
          if (asked) await prepare(onStage!, workflowId, asked);
          return await usual.settlePreparation!(input);
        },
      };
    },
    async drive(stage, id) {
      onStage = stage;
      await prepare(stage, id, 'eyes-open-closed');
      await inHand.promise;
      await prepare(stage, id, 'fists-feet-imagined');
      await stage.client.workflow.getHandle(id).cancel();
      await end(stage, id);
      return await stage.client.workflow.result(id);
    },
    calls: [
      'surveyReference eyes-open-closed',
      'preparePerson',
      'settlePreparation of 1: failed, The preparation was cancelled by an operator.',
      'surveyReference left-right-fist',
      'preparePerson',
      'settlePreparation of 1: ',
      'surveyReference left-right-fist-imagined',
      'preparePerson',
      'settlePreparation of 1: ',
    ],
  },
  {
    name: 'reference-fit',
    what: 'a fit for one shape of trials',
    activities: (calls) => ({
      async fitPeople() {
        calls.push('fitPeople');
        return { status: 'ready', reason: null, evidence: fitted };
      },
    }),
    async drive(stage, id) {
      await startFit(stage, id);
      return await end(stage, id);
    },
    calls: ['fitPeople'],
  },
  {
    name: 'reference-fit-given-up',
    what: 'a fit that the service cannot make',
    activities: (calls) => ({
      async fitPeople() {
        throw ApplicationFailure.nonRetryable('The thread ended.');
      },
      async giveUpPeopleFit({ reason }) {
        calls.push(`giveUpPeopleFit ${reason}`);
      },
    }),
    async drive(stage, id) {
      await startFit(stage, id);
      return await end(stage, id);
    },
    calls: ['giveUpPeopleFit The fit failed on the service side.'],
  },
];
