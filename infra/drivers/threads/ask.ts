import { parentPort } from 'node:worker_threads';
import { unpackError, type AskMessage, type AnswerMessage } from './messages.ts';

/** Account and job of the task for which a thread calls a service. */
export interface TaskOwner {
  readonly account?: string | undefined;
  readonly job?: string | undefined;
}

/** Services of the process for its threads, by name: see `PoolOptions.services`. */
export type Services = Readonly<Record<string, (payload: never, owner: TaskOwner) => Promise<unknown>>>;

const waiting = new Map<number, PromiseWithResolvers<unknown>>();
let nextAsk = 1;

/**
 * Thread side: calls a service of the process and waits for the answer. Rejects with the error that the service threw;
 * an ApiError keeps its fields.
 */
export function ask<T>(service: string, payload: unknown): Promise<T> {
  const port = parentPort;
  if (!port) throw new Error('A process is asked by a thread of one of its pools.');
  const answer = Promise.withResolvers<unknown>();
  const id = nextAsk++;
  port.postMessage({ ask: id, service, payload } satisfies AskMessage);
  waiting.set(id, answer);
  return answer.promise as Promise<T>;
}

/** Settles the call that the answer belongs to. */
export function receiveAnswer(message: AnswerMessage): void {
  const answer = waiting.get(message.answerTo);
  waiting.delete(message.answerTo);
  if (message.ok) answer?.resolve(message.value);
  else answer?.reject(unpackError(message.error));
}
