import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { simulate, simulatedForms } from '../../activities/compute/simulated.ts';
import { tasks } from '../../activities/compute/tasks.ts';
import { warmUp, warmUpTasks } from '../../activities/compute/warm-up.ts';
import { warmUpTask } from '../../api/threads/warm-up.ts';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { movementCard, provideMovementWeights } from '../../ml/encoders/movement/index.ts';
import { provideStandInMovement } from '../support/stand-in-movement.ts';

it('warms a thread of the activities with a whole create of each kind of task', async () => {
  expect(new Set(simulatedForms.map(({ kind }) => kind))).toEqual(new Set(['erp', 'motor', 'sleep', 'other']));
  expect(new Set(warmUp.map(({ task }) => task))).toEqual(new Set(['warmUp']));
  const done = warmUp.map(({ payload }) => (payload as { form: number }).form);
  expect(new Set(done)).toEqual(new Set(simulatedForms.keys()));
  // The quickest: each of them is a create.
  const form = simulatedForms.findIndex(({ kind }) => kind === 'sleep');
  await expect(warmUpTasks(tasks).warmUp({ form })).resolves.toBeUndefined();
});

it('simulates the same trials every time, with equally frequent classes', () => {
  const [form] = simulatedForms;
  const [once, again] = [simulate(form!), simulate(form!)];
  expect(once.trials.data).toEqual(again.trials.data);
  expect(once.trials.data.every(Number.isFinite)).toBe(true);
  expect(Object.values(Object.groupBy(once.labels, (label) => label)).map((each) => each!.length)).toEqual(
    form!.hz.map(() => form!.perClass),
  );
});

it('warms a thread of the API by reading bodies and making predictions', () => {
  expect(warmUpTask(null)).toBe(40);
});

describe('the movement network', () => {
  /** Hashes of the files that were read. */
  const read: string[] = [];
  beforeEach(() => {
    read.length = 0;
    provideMovementWeights((hash) => {
      read.push(hash);
      return shippedWeights(hash);
    });
  });
  afterAll(() => provideStandInMovement());

  it('is read before the first create', async () => {
    const form = simulatedForms.findIndex(({ kind }) => kind === 'motor');
    await warmUpTasks(tasks).warmUp({ form });
    expect(read).toEqual([movementCard.sha256, movementCard.people.sha256]);
  });

  it('is read before the first prediction', () => {
    warmUpTask(null);
    expect(read).toEqual([movementCard.sha256]);
  });

  it('does not stop the warm-up if its weights have changed', () => {
    provideMovementWeights(() => {
      throw new Error('changed');
    });
    expect(warmUpTask(null)).toBe(40);
  });
});
