import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { FairOrder } from '../../infra/drivers/threads/fair-order.ts';

export interface TurnLimits {
  /** Fits that run at once. An account that has none running does not wait for those of others. */
  readonly running: number;
  /** Fits that this process holds, those that wait included. */
  readonly held: number;
}

interface Waiting {
  readonly account: string;
  readonly begin: () => void;
  readonly handBack: () => void;
}

const byLength = (a: readonly Waiting[], b: readonly Waiting[]): number => b.length - a.length;

/** After this time Temporal gives a fit that was handed back to a worker again. */
const againAfter = '5 seconds';
const type = 'FitHandedBack';

/** Whether the fit was handed back to Temporal before it began: no attempt of it failed. */
export const isHandedBack = (error: unknown): boolean => error instanceof ApplicationFailure && error.type === type;

const handedBack = (): ApplicationFailure =>
  ApplicationFailure.create({
    type,
    message: 'This worker holds many fits of the account; the fit waits in the queue of Temporal.',
    nextRetryDelay: againAfter,
  });

/**
 * Which fits of a process run, by `FairOrder` of their accounts. An account's first fit begins at once; where `held` are
 * here, the one that came last of the account with the most that wait goes back to Temporal, so that the worker can
 * always take the fit of another account. Rejects when the signal aborts a fit that waits.
 */
export function createFitTurns(limits: TurnLimits) {
  const order = new FairOrder();
  const waiting: Waiting[] = [];
  let running = 0;

  const mayBegin = (account: string): boolean => running < limits.running || order.runningOf(account) === 0;
  const beginNext = (): void => {
    const open = waiting.filter(({ account }) => mayBegin(account));
    if (open.length === 0) return;
    const next = open.reduce((best, each) => (order.compare(each.account, best.account) < 0 ? each : best));
    waiting.splice(waiting.indexOf(next), 1);
    running += 1;
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
    { accountId: account }: Pick<FitRequest, 'accountId'>,
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
    };
    const own: Waiting = { account, begin: turn.resolve, handBack: () => leave(handedBack()) };
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
      order.end(account, performance.now() - began);
      beginNext();
    }
  };
}
