import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { ApiDeps } from '../deps.ts';
import { smallBytes } from '../threads/client.ts';
import type { LabelBy, LabelResult } from '../threads/label.ts';
import { hasKey } from './idempotency.ts';

/** By what the trials of a request are labelled: its account's model, as an earlier request found it. */
export interface Foreseen {
  readonly accountId: string;
  readonly label: LabelBy;
  readonly resampler: number | undefined;
}

/** What was done of a request before its admission. */
export interface Ahead {
  /** Its body, which the thread has given back. */
  readonly body: Uint8Array;
  readonly by: Foreseen;
  /** Null: the threads had other work when the body was there, and it is still to be read. */
  readonly result: LabelResult | null;
}

/** What is remembered from one request of a key, or of a session, to the next about the same model. */
export interface Foresight {
  /** What was begun now; null: nothing. Whoever awaits it gets the errors of reading the body. */
  readonly begun: Promise<Ahead> | null;
  /** A request of this kind may be begun before its admission from now on. */
  remember(foreseen: Foreseen): void;
  /** It may not, until it is remembered again. */
  forget(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    foresight: Foresight | null;
  }
}

/** Keys and models that are remembered. */
const mostRemembered = 4_096;

/** Whether the request brings a body that may be read at once. */
const bringsSmallBody = ({ headers }: FastifyRequest): boolean => {
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= smallBytes && (headers['content-type'] ?? '').startsWith('application/json');
};

/**
 * Begins a prediction while the database still admits it: its body is read and its trials are labelled, as the last
 * one of the same key and model was, where no thread has anything else to do once the body is there: of requests that
 * come at once one is begun, and the others wait for their admission. Nothing of it is used before the admission has
 * found the same model and the money. Who was refused is not begun for again.
 */
export function createForesight({ threads }: Pick<ApiDeps, 'threads'>) {
  const remembered = new LRUCache<string, Foreseen>({ max: mostRemembered });
  return (request: FastifyRequest, secret: string): Foresight => {
    const { model_id: model } = (request.params ?? {}) as { model_id?: string };
    const name = `${request.routeOptions.config.endpoint} ${model} ${secret}`;
    let isForgotten = false;
    const begin = async (by: Foreseen): Promise<Ahead> => {
      const body = await request.readBody(by.accountId);
      if (isForgotten) throw new Error('The request was refused while its body arrived.');
      if (threads.load > 0) return { by, body, result: null };
      const { label, resampler } = by;
      const task = { body, resampler, hashed: hasKey(request), ...label, returnsBody: true };
      const result = await threads.label(by.accountId, task);
      return { by, result, body: result.body! };
    };
    const foreseen = remembered.get(name);
    const begun = foreseen && threads.load === 0 && bringsSmallBody(request) ? begin(foreseen) : null;
    begun?.catch(() => undefined);
    return {
      begun,
      remember: (next) => void remembered.set(name, next),
      forget() {
        isForgotten = true;
        remembered.delete(name);
      },
    };
  };
}
