import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { FairOrder } from '../../infra/drivers/threads/fair-order.ts';

export interface TurnLimits {
  /** Fits that run at once. An account that has none running does not wait for those of others. */
  readonly running: number;
  /** Fits that this process holds, those that wait included. */
  readonly held: number;
  /** Bytes that the fits that run share. One that needs more runs while no other does. */
  readonly memory: number;
}

interface Waiting {
  readonly account: string;
  readonly bytes: number;
  readonly begin: () => void;
  readonly handBack: () => void;
}

const byLength = (a: readonly Waiting[], b: readonly Waiting[]): number => b.length - a.length;

/** After this time Temporal gives a fit that was handed back to a worker again. */
const againAfter = '5 seconds';
const type = 'FitHandedBack';

const handedBack = (): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message: 'This worker holds many fits of the account; the fit waits in the queue of Temporal.',
    nextRetryDelay: againAfter,
  });

/**
 * Which fits of a process run, by `FairOrder` of their accounts. An account's first fit begins as soon as there is memory
 * for it, and nobody overtakes a fit that waits for memory alone; where `held` are
 * here, the one that came last of the account with the most that wait goes back to Temporal, so that the worker can
 * always take the fit of another account. Rejects when the signal aborts a fit that waits.
 */
export function createFitTurns(limits: TurnLimits) {
  const order = new FairOrder();
  const waiting: Waiting[] = [];
  let running = 0;
  let used = 0;

  const mayBegin = (account: string): boolean => running < limits.running || order.runningOf(account) === 0;
  const beginNext = (): void => {
    const open = waiting.filter(({ account }) => mayBegin(account));
    if (open.length === 0) return;
    const next = open.reduce((best, each) => (order.compare(each.account, best.account) < 0 ? each : best));
    if (running > 0 && used + next.bytes > limits.memory) return;
    waiting.splice(waiting.indexOf(next), 1);
    running += 1;
    used += next.bytes;
    order.begin(next.account);
    next.begin();
    beginNext();
  };
  const makeRoom = (): void => {
    if (running + waiting.length < limits.held) return;
    const ofEach = [...Map.groupBy(waiting, ({ account }) => account).values()];
    const most = ofEach.toSorted(([a], [b]) => order.compare(b.account, a.account)).toSorted(byLength)[0];
    most?.at(-1)!.handBack();
  };

  return async <T>(
    { accountId: account, bytes }: Pick<FitRequest, 'accountId' | 'bytes'>,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const leave = (error: Error): void => {
      const at = waiting.indexOf(own);
      if (at < 0) return;
      waiting.splice(at, 1);
      order.withdraw(account);
      turn.reject(error);
      beginNext();
    };
    const own: Waiting = { account, bytes, begin: turn.resolve, handBack: () => leave(handedBack()) };
    const abort = (): void => leave(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    order.add(account);
    waiting.push(own);
    beginNext();
    makeRoom();
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    const began = performance.now();
    try {
      return await work();
    } finally {
      running -= 1;
      used -= bytes;
      order.end(account, performance.now() - began);
      beginNext();
    }
  };
}
