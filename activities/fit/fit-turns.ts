import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { FairOrder } from '../../infra/drivers/threads/fair-order.ts';

export interface TurnLimits {
  /** Fits that run at once. An account without a running fit may exceed this limit. */
  readonly running: number;
  /** Fits that this process has accepted, waiting ones included. */
  readonly accepted: number;
  /** Bytes of all running fits together. A larger fit runs while no other runs. */
  readonly memory: number;
}

interface Waiting {
  readonly account: string;
  readonly bytes: number;
  readonly begin: () => void;
  readonly handBack: () => void;
}

const byLength = (a: readonly Waiting[], b: readonly Waiting[]): number => b.length - a.length;

/** Temporal gives a returned fit to a worker again after this time. */
const againAfter = '5 seconds';
const type = 'FitHandedBack';

const handedBack = (): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message: 'This worker holds many fits of the account; the fit waits in the queue of Temporal.',
    nextRetryDelay: againAfter,
  });

/**
 * Chooses the fits that run in a process, by `FairOrder` of their accounts. An account's first fit starts as soon as
 * its memory is free. No fit overtakes one that waits only for memory. When the process has accepted `accepted` fits,
 * the last fit of the account with the most waiting fits returns to Temporal, so that the worker can always take a fit
 * of another account. Rejects when the signal aborts a waiting fit.
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
    if (running + waiting.length < limits.accepted) return;
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
