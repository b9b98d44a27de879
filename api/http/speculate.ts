import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Credential } from '../../infra/records/admission/admit.ts';
import type { ApiDeps } from '../deps.ts';
import { smallBytes } from '../threads/client.ts';
import type { LabelBy, LabelResult } from '../predict/label.ts';
import { hasKey } from './idempotency.ts';

/** The account and model of an earlier request of the same caller and path. */
export interface EarlierRequest {
  readonly accountId: string;
  readonly label: LabelBy;
  readonly resampler: number | undefined;
}

/** The part of a prediction that was computed before its admission. */
export interface Speculated {
  /** The body. The thread has returned it. */
  readonly body: Uint8Array;
  readonly by: EarlierRequest;
  /** Null: the threads were busy when the body had arrived, so it must still be read. */
  readonly result: LabelResult | null;
}

export interface Speculation {
  /** Rejects with the error of reading the body; null: nothing was started. */
  readonly started: Promise<Speculated> | null;
  /** Lets the next request with the same caller and path start before its admission. */
  remember(expected: EarlierRequest): void;
  /** Discards the result. The next request waits for its admission. */
  cancel(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    speculation: Speculation | null;
  }
}

/** Number of remembered pairs of caller and path. */
const mostRemembered = 4_096;

const hasSmallBody = ({ headers }: FastifyRequest): boolean => {
  const length = Number(headers['content-length'] ?? 0);
  return length > 0 && length <= smallBytes && (headers['content-type'] ?? '').startsWith('application/json');
};

/**
 * Reads and labels a prediction while the database admits it, if no thread has other work: the median of predictions
 * one after another is 22 % shorter (4.6 instead of 5.9 ms in turns). The result is used only after the admission has
 * found the same model and enough credit.
 */
export function createSpeculation({ threads }: Pick<ApiDeps, 'threads'>) {
  const remembered = new LRUCache<string, EarlierRequest>({ max: mostRemembered });
  return (request: FastifyRequest, { hash }: Credential): Speculation => {
    const { model_id: model } = (request.params ?? {}) as { model_id?: string };
    const name = `${request.routeOptions.config.endpoint} ${model} ${Buffer.from(hash).toString('base64')}`;
    let isCancelled = false;
    const start = async (by: EarlierRequest): Promise<Speculated> => {
      const body = await request.readBody(by.accountId);
      if (isCancelled) throw new Error('The request was refused while its body arrived.');
      if (threads.load > 0) return { by, body, result: null };
      const { label, resampler } = by;
      const task = { body, resampler, hashed: hasKey(request), ...label, returnsBody: true };
      const result = await threads.label(by.accountId, task);
      return { by, result, body: result.body! };
    };
    const expected = remembered.get(name);
    const started = expected && threads.load === 0 && hasSmallBody(request) ? start(expected) : null;
    started?.catch(() => undefined);
    return {
      started,
      remember: (next) => void remembered.set(name, next),
      cancel() {
        isCancelled = true;
        remembered.delete(name);
      },
    };
  };
}
