import type { FastifyInstance, FastifyRequest } from 'fastify';
import { limits } from '../../infra/contract/limits.ts';
import { usualPace, type Pace } from './collect.ts';
import { MemoryBudget, type Reservation } from './memory-budget.ts';
import { paced } from './paced.ts';

/** Total bytes of answers in memory: those that are being computed and those that are being sent. */
const usualBytes = 16 * limits.answerBytes;

/** Smaller answers go to the socket directly and are not counted. */
const smallBytes = 256 * 1024;

export interface AnswerLimits {
  /** Total bytes of answers that the process keeps in memory. */
  readonly answerBytes?: number;
  /** The slowest accepted reader. */
  readonly pace?: Pace;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Reserves memory for an answer of at most this many bytes. Throws POOL_SATURATED if there is none. */
    reserveAnswer: (bytes: number) => void;
  }
}

/**
 * Bounds the memory of answers. It is divided between the accounts, and reserved until the socket has the bytes. A
 * reader that is slower than `pace` is disconnected. An answer without a reservation is counted too: it already exists
 * and may be paid for.
 */
export function boundAnswers(
  scope: FastifyInstance,
  { answerBytes = usualBytes, pace = usualPace }: AnswerLimits,
): void {
  const budget = new MemoryBudget(answerBytes, 'answers');
  const reservations = new WeakMap<FastifyRequest, Reservation>();
  scope.decorateRequest('reserveAnswer', function (this: FastifyRequest, bytes: number): void {
    const { caller } = this;
    if (!caller || bytes <= smallBytes) return;
    const reservation = reservations.get(this) ?? budget.reserve(caller.accountId);
    reservations.set(this, reservation);
    reservation.resize(bytes);
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    const reservation = reservations.get(request) ?? (request.caller && budget.reserve(request.caller.accountId));
    if (typeof payload !== 'string' || payload.length <= smallBytes) {
      reservation?.resize(0);
      return payload;
    }
    const bytes = Buffer.from(payload);
    reservation?.keep(bytes.length);
    reply.header('content-length', bytes.length);
    return paced(bytes, pace).once('close', () => reservation?.resize(0));
  });
}
