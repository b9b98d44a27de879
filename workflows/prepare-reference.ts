import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, PreparedPerson, Stopped } from '../activities/activities.ts';
import { peopleAtOnce, type ReferenceTaskKey } from '../infra/contract/reference-data/preparation.ts';
import type { PrepareReferenceWorkflow } from '../infra/contract/workflow-names.ts';
import { describePreparation, type PreparationView } from './describe-preparation.ts';
import { prepare } from './handlers.ts';
import { preparing, unlimitedRetries } from './timeouts.ts';

const { surveyReference, settlePreparation } = proxyActivities<Activities>({
  ...unlimitedRetries,
  startToCloseTimeout: '10 minutes',
});
const { preparePerson } = proxyActivities<Activities>(preparing);

/** Pauses before people with interrupted transfers are tried again. */
const pauses = ['15 seconds', '1 minute'] as const;

/** After this many people in a row with interrupted transfers, a round tries no more people. */
const mostInARow = 5;

/**
 * Prepares the tasks of one version of a data set, one after another; workflow id = `prepareWorkflowId`. The signal
 * `prepare` adds a task. A task may be added again while it is prepared; the second preparation ends at once unless it
 * was requested after the end of the first. A cancellation ends the current task and the waiting ones. Finished work
 * stays in the object store, so a new preparation continues from it.
 */
export const prepareReference: PrepareReferenceWorkflow = async ({ set, version, tasks }) => {
  const queue = new Set(tasks);
  setHandler(
    prepare,
    (task) => {
      queue.add(task);
    },
    { description: 'Prepare a task of this data set' },
  );
  /** Tasks that waited when the cancellation came. A later request adds a task again. */
  let waiting: readonly string[] = [];
  CancellationScope.current().cancelRequested.catch(() => (waiting = [...queue]));
  const goOn = (): Promise<never> => continueAsNew<PrepareReferenceWorkflow>({ set, version, tasks: [...queue] });
  try {
    await condition(() => queue.size > 0, '10 seconds');
    for (const task of queue) {
      queue.delete(task);
      await prepareTask({ set, version, task }, () => [...queue]);
      if (queue.size > 0 && workflowInfo().continueAsNewSuggested) await goOn();
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(async () => {
      for (const task of waiting) {
        queue.delete(task);
        await settlePreparation({ key: { set, version, task }, stopped: cancelled, lost: [] });
      }
    });
    if (queue.size > 0) await goOn();
    throw error;
  }
};

const cancelled: Stopped = {
  status: 'failed',
  retryable: true,
  reason: 'The preparation was cancelled by an operator.',
};

/** Prepares one task. Always records a final state. */
async function prepareTask(key: ReferenceTaskKey, waiting: () => string[]): Promise<void> {
  const view: PreparationView = { key, waiting, doing: 'Recordings and features', people: null, inHand: [] };
  const settle = async (stopped: Stopped | null, lost: readonly LostPerson[] = []): Promise<void> => {
    const { status, reason, people } = await settlePreparation({ key, stopped, lost });
    const counts = people && `${people.used} people used, ${people.missing} missing, ${people.faulty} with a fault`;
    describePreparation({ ...view, doing: [counts, reason].filter(Boolean).join('. '), inHand: [] }, status);
  };
  try {
    const survey = await surveyReference({ key });
    if (survey.found === 'ended')
      return describePreparation({ ...view, doing: 'Nothing was left to do' }, survey.status);
    if (survey.found === 'nothing') return await settle(survey.stopped);
    describePreparation(view, 'running');
    const { stopped, lost } = await preparePeople(survey.people, survey.files, view);
    await settle(stopped, lost);
  } catch (error) {
    const byOperator = isCancellation(error);
    const reason = 'The preparation failed on the service side.';
    await CancellationScope.nonCancellable(() =>
      settle(byOperator ? cancelled : { status: 'failed', retryable: true, reason }),
    );
    if (byOperator) throw error;
  }
}

interface LostPerson {
  readonly person: string;
  readonly reason: string;
}

interface PeopleResult {
  readonly stopped: Stopped | null;
  readonly lost: readonly LostPerson[];
}

/**
 * Prepares all people, a few at a time. After a pause it tries the people who were skipped because too many transfers
 * before them were interrupted, then the people whose own transfers were interrupted.
 */
async function preparePeople(people: readonly string[], files: number, view: PreparationView): Promise<PeopleResult> {
  const done = new Map<string, Exclude<PreparedPerson, { status: 'stopped' }>>();
  const lost = new Map<string, LostPerson>();
  let stopped: Stopped | null = null;
  let inARow = 0;
  const inHand = new Set<string>();
  const describe = (doing: string): void =>
    describePreparation(
      { ...view, doing, people: { all: people.length, files, done: [...done.values()] }, inHand: [...inHand] },
      'running',
    );

  const one = async (person: string): Promise<void> => {
    inHand.add(person);
    describe('Recordings and features');
    try {
      const prepared = await preparePerson.executeWithOptions({ ...preparing, summary: person }, [
        { key: view.key, person },
      ]);
      if (prepared.status === 'stopped') stopped ??= prepared.stopped;
      else done.set(person, prepared);
      inARow = prepared.status === 'interrupted' ? inARow + 1 : 0;
    } catch (error) {
      if (isCancellation(error)) throw error;
      lost.set(person, { person, reason: `${person} could not be prepared on the service side.` });
    } finally {
      inHand.delete(person);
    }
    describe('Recordings and features');
  };
  const round = async (left: string[]): Promise<void> => {
    inARow = 0;
    const lane = async (): Promise<void> => {
      for (
        let person = left.shift();
        person !== undefined;
        person = stopped || inARow >= mostInARow ? undefined : left.shift()
      )
        await one(person);
    };
    await Promise.all(Array.from({ length: peopleAtOnce }, lane));
  };

  const untried = (): string[] => people.filter((person) => !done.has(person) && !lost.has(person));
  const interrupted = (): string[] => people.filter((person) => done.get(person)?.status === 'interrupted');
  await round([...people]);
  for (const pause of pauses) {
    const again = interrupted();
    if (again.length === 0 || stopped) break;
    describe(`Transfers for ${again.length} people were interrupted; they are tried again in ${pause}`);
    await sleep(pause);
    await round([...untried(), ...again]);
  }
  const rest = untried().length;
  if (rest > 0 && !stopped) {
    const reason =
      `${rest} of ${people.length} people were not tried, ` +
      `because the transfers for ${mostInARow} others in a row were ` +
      `interrupted. ${done.get(interrupted()[0])?.reason ?? ''}`;
    stopped = { status: 'failed', retryable: true, reason: reason.trim() };
  }
  return { stopped, lost: [...lost.values()] };
}
