import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../../infra/contract/limits.ts';
import { usualPace, type Pace } from './collect.ts';
import { MemoryBudget, type Hold } from './memory-budget.ts';
import { paced } from './paced.ts';

/** Bytes of answers that one process holds at once: those that are computed, and those that are being read. */
const usualBytes = 16 * limits.answerBytes;

/** Smaller answers are handed to the socket as they are, and are not counted. */
const smallBytes = 256 * 1024;

export interface AnswerLimits {
  /** Bytes of answers that the process holds at once. */
  readonly answerBytes?: number;
  /** The slowest reader that is waited for. */
  readonly pace?: Pace;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Makes room for an answer of at most this many bytes; throws POOL_SATURATED where there is none. */
    holdAnswer: (bytes: number) => void;
  }
}

/**
 * Bounds what answers hold of the process's memory: shared out between accounts, held until the bytes are gone to the
 * socket, and cut off where the reader is slower than `pace`. An answer that no room was made for is counted all the
 * same: it exists, and may have been paid.
 */
export function boundAnswers(
  scope: FastifyInstance,
  { answerBytes = usualBytes, pace = usualPace }: AnswerLimits,
): void {
  const budget = new MemoryBudget(answerBytes, 'answers');
  const holds = new WeakMap<FastifyRequest, Hold>();
  scope.decorateRequest('holdAnswer', function (this: FastifyRequest, bytes: number): void {
    const { caller } = this;
    if (!caller || bytes <= smallBytes) return;
    const hold = holds.get(this) ?? budget.hold(caller.accountId);
    holds.set(this, hold);
    hold.resize(bytes);
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const hold = holds.get(request) ?? (request.caller && budget.hold(request.caller.accountId));
    if (typeof payload !== 'string' || payload.length <= smallBytes) {
      hold?.resize(0);
      return payload;
    }
    const bytes = Buffer.from(payload);
    hold?.keep(bytes.length);
    reply.header('content-length', bytes.length);
    return paced(bytes, pace).once('close', () => hold?.resize(0));
  });
}
