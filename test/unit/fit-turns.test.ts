import { setImmediate as soon } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { createFitTurns, type TurnLimits } from '../../activities/fit/fit-turns.ts';

/** Fits that run until `end` is called. `running` and `back` list the fits that run and those that were handed back. */
function turns(most: Partial<TurnLimits>) {
  const inTurn = createFitTurns({ running: Infinity, accepted: Infinity, memory: Infinity, ...most });
  const [running, back]: [string[], string[]] = [[], []];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const ask = (name: string, signal = new AbortController().signal, bytes = 1): Promise<void> =>
    inTurn({ accountId: name[0]!, bytes }, signal, async () => {
      running.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      await end.promise;
      running.splice(running.indexOf(name), 1);
    }).catch((error: unknown) => {
      if (!(error instanceof ApplicationFailure && error.type === 'FitHandedBack')) throw error;
      back.push(name);
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)!.resolve();
    await soon();
  };
  return { ask, end, running, back };
}

describe('fits of a worker', () => {
  it('run a few at once; the first of another account begins at once', async () => {
    const { ask, end, running } = turns({ running: 2, accepted: 20 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => ask(name));
    await soon();
    expect(running).toEqual(['a1', 'a2', 'b1']);
    await end('a1');
    expect(running).toEqual(['a2', 'b1']);
    await end('b1');
    expect(running).toEqual(['a2', 'b2']);
    for (const name of ['a2', 'b2', 'a3', 'a4']) await end(name);
    await Promise.all(all);
  });

  it('return to Temporal if one account would take all places, the last one first', async () => {
    const { ask, end, running, back } = turns({ running: 1, accepted: 4 });
    const first = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2'].map((name) => ask(name));
    await soon();
    expect(running).toEqual(['a1', 'b1']);
    expect(back).toEqual(['a4', 'a5', 'a3', 'b2']);
    for (const name of ['a1', 'b1', 'a2']) await end(name);
    await Promise.all(first);
  });

  it('that wait leave when they are cancelled', async () => {
    const { ask, end, running } = turns({ running: 1, accepted: 20 });
    const cancelled = new AbortController();
    const first = ask('a1');
    const waits = ask('a2', cancelled.signal);
    await soon();
    cancelled.abort(new Error('The model was deleted.'));
    await expect(waits).rejects.toThrow('The model was deleted.');
    await expect(ask('a3', cancelled.signal)).rejects.toThrow('The model was deleted.');
    await end('a1');
    await first;
    expect(running).toEqual([]);
  });

  it('wait for memory, and a fit that needs more than the limit runs alone', async () => {
    const { ask, end, running } = turns({ memory: 100 });
    const of = (name: string, bytes: number) => ask(name, undefined, bytes);
    const all = [of('a1', 60), of('b1', 60), of('c1', 500), of('a2', 1)];
    await soon();
    expect(running, 'the small one does not overtake').toEqual(['a1']);
    await end('a1');
    expect(running).toEqual(['b1']);
    await end('b1');
    expect(running).toEqual(['c1']);
    await end('c1');
    expect(running).toEqual(['a2']);
    await end('a2');
    await Promise.all(all);
  });

  it('give their place to the next one if they leave while they wait for memory', async () => {
    const { ask, end, running } = turns({ memory: 100 });
    const cancelled = new AbortController();
    const all = [ask('a1', undefined, 60), ask('c1', undefined, 40)];
    const waits = ask('b1', cancelled.signal, 90);
    await soon();
    cancelled.abort(new Error('The model was deleted.'));
    await expect(waits).rejects.toThrow('The model was deleted.');
    await soon();
    expect(running).toEqual(['a1', 'c1']);
    for (const name of running.slice()) await end(name);
    await Promise.all(all);
  });
});
