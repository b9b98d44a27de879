import { describe, expect, it } from 'vitest';
import { createMemoryRoom, type MemoryRoom } from '../../activities/memory-room.ts';

const { signal } = new AbortController();
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks for room under a name, and notes the names in the order in which they get it. */
function asking(room: MemoryRoom) {
  const got: string[] = [];
  const ask = (name: string, accountId: string, bytes: number): Promise<Disposable> =>
    room.hold(accountId, bytes, signal).then((hold) => {
      got.push(name);
      return hold;
    });
  return { got, ask };
}

describe('the memory that fits of a process share', () => {
  it('is given as far as it goes, and again when it is free', async () => {
    const room = createMemoryRoom(100);
    const { got, ask } = asking(room);
    const first = await ask('a', 'A', 60);
    const later = ask('b', 'B', 60);
    await settle();
    expect([got, room.held]).toEqual([['a'], 60]);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await later;
    expect([got, room.held]).toEqual([['a', 'b'], 60]);
  });

  it('lets a fit that is larger than all of it run while nothing else does', async () => {
    const room = createMemoryRoom(100);
    const { got, ask } = asking(room);
    const small = await ask('small', 'A', 10);
    const large = ask('large', 'B', 500);
    const next = ask('next', 'C', 10);
    await settle();
    expect(got).toEqual(['small']);
    small[Symbol.dispose]();
    (await large)[Symbol.dispose]();
    await next;
    expect(got).toEqual(['small', 'large', 'next']);
  });

  it('goes to the account that holds least, however many fits of another wait', async () => {
    const room = createMemoryRoom(100);
    const { got, ask } = asking(room);
    const holds = await Promise.all([ask('a1', 'A', 50), ask('a2', 'A', 50)]);
    const waiting = ['a3', 'a4', 'a5'].map((name) => ask(name, 'A', 50));
    const other = ask('b1', 'B', 50);
    holds[0]![Symbol.dispose]();
    await other;
    expect(got).toEqual(['a1', 'a2', 'b1']);
    holds[1]![Symbol.dispose]();
    await waiting[0];
    expect(got).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('is not kept for who gave up, whose place goes to the next', async () => {
    const room = createMemoryRoom(100);
    const { got, ask } = asking(room);
    await ask('a', 'A', 60);
    const aborting = new AbortController();
    const gone = room.hold('B', 90, aborting.signal);
    const next = ask('c', 'C', 40);
    await settle();
    expect(got).toEqual(['a']);
    aborting.abort(new Error('The activity was cancelled.'));
    await expect(gone).rejects.toThrow('The activity was cancelled.');
    await next;
    expect([got, room.held]).toEqual([['a', 'c'], 100]);
    await expect(room.hold('B', 1, aborting.signal)).rejects.toThrow('The activity was cancelled.');
  });
});
