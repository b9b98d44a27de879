import { parentPort } from 'node:worker_threads';
import { unpackError, type AskMessage, type AnswerMessage } from './messages.ts';

/** On whose behalf a thread asks: account and job of the task that it runs. */
export interface Asking {
  readonly account?: string | undefined;
  readonly job?: string | undefined;
}

/** What the process does for its threads, by name: see `PoolOptions.services`. */
export type Services = Readonly<Record<string, (payload: never, asking: Asking) => Promise<unknown>>>;

const waiting = new Map<number, PromiseWithResolvers<unknown>>();
let nextAsk = 1;

/**
 * Thread side: asks the process of this thread for one of its services, and waits for the answer. Rejects with what the
 * service threw; an ApiError keeps its fields.
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

/** Hands an answer of the process to who waits for it. */
export function receiveAnswer(message: AnswerMessage): void {
  const answer = waiting.get(message.answerTo);
  waiting.delete(message.answerTo);
  if (message.ok) answer?.resolve(message.value);
  else answer?.reject(unpackError(message.error));
}
