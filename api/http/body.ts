import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidRequest } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { brief, count, quoted } from '../../infra/contract/quote.ts';
import { readEnvelope } from '../contract/read-envelope.ts';
import { repeatedKey } from '../contract/repeated-keys.ts';
import { sureFixes, withChanges } from '../contract/sure-fix.ts';
import { MemoryBudget, type Reservation } from './memory-budget.ts';
import { collect, tooLarge, usualPace, type Pace } from './collect.ts';
import { callerOf } from './request.ts';

/** Total bytes of bodies in memory: those that are still arriving and those that wait for a thread. */
const usualBytes = 16 * limits.bodyBytes;

const nothing = (): void => undefined;

export interface BodyLimits {
  /** Total bytes of bodies that the process keeps in memory. */
  readonly bodyBytes?: number;
  /** The slowest accepted upload. */
  readonly pace?: Pace;
}

/**
 * A separate function, because V8 takes a function that is assigned inline for a permanent method, which keeps the
 * request in memory.
 */
const releasing =
  (request: FastifyRequest, reservation: Reservation, answered: AbortController) =>
  (kept = 0): void => {
    reservation.resize(kept);
    if (kept > 0) return;
    request.releaseBody = nothing;
    answered.abort('answered');
  };

/**
 * Reads bodies as raw bytes, which routes pass to a thread. A body is read after the caller is admitted or predicted,
 * and its memory counts against the caller's account. Rejects bodies that are not JSON, are compressed, or are larger
 * than the route's limit (spec, "Limits"). A large body is rejected by its Content-Length before it is read.
 */
export function acceptBodies(scope: FastifyInstance, { bodyBytes = usualBytes, pace = usualPace }: BodyLimits): void {
  const budget = new MemoryBudget(bodyBytes, 'request bodies');
  const read = async (request: FastifyRequest, accountId: string): Promise<Uint8Array> => {
    const limit = request.routeOptions.config.bodyBytes ?? limits.bodyBytes;
    const encoding = request.headers['content-encoding'];
    if (encoding && encoding !== 'identity') {
      throw new ApiError(
        'INVALID_REQUEST',
        `Content-Encoding ${brief(encoding)} is not accepted; send the JSON uncompressed.`,
        { field: 'Content-Encoding' },
      );
    }
    const declared = request.headers['content-length'];
    const expected = declared === undefined ? null : Number(declared);
    if (expected !== null && expected > limit) throw tooLarge(count(expected), limit);
    const reservation = budget.reserve(accountId);
    // A body that was read before the admission may still arrive after the request has been answered.
    const answered = new AbortController();
    request.releaseBody = releasing(request, reservation, answered);
    const room = (bytes: number): void => reservation.resize(bytes);
    return await collect(request.raw, { expected, limit, pace, room, unwanted: answered.signal });
  };
  scope.decorateRequest('releaseBody', nothing);
  scope.decorateRequest('readBody', function (this: FastifyRequest, accountId: string) {
    return read(this, accountId);
  });
  // Also if the caller has disconnected: the memory stays reserved while the body is in use.
  scope.addHook('onSend', async (request, _reply, payload) => {
    request.releaseBody();
    return payload;
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const { started } = request.speculation ?? {};
    return started ? (await started).body : await request.readBody(callerOf(request).accountId);
  });
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    payload.resume();
    const type = request.headers['content-type'];
    throw new ApiError(
      'INVALID_REQUEST',
      `The body is ${type ? quoted(type) : 'of no declared type'}; bodies are JSON.`,
      { field: 'Content-Type', alternatives: [{ 'Content-Type': 'application/json' }] },
    );
  });
}

/** The parser's message quotes a part of the body. */
const withReason = (reason: string, bytes: number): string =>
  `The body (${bytes} bytes) is not JSON: ${brief(reason, 160)}`;

/**
 * Reads a small JSON body on the main thread; returns `empty` if there is none. Throws INVALID_REQUEST if the body is
 * not JSON, with the message of `notJson`, and if a name occurs twice in one object.
 */
export function parseSmallBody(body: unknown, empty: unknown, notJson = withReason): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) return empty;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    const message = notJson((cause as Error).message, body.length);
    throw new ApiError('INVALID_REQUEST', message, { field: 'body', cause });
  }
  const repeated = repeatedKey(body);
  if (repeated) throw invalidRequest([repeated]);
  return value;
}

/** Validates fields and fills in defaults. Throws INVALID_REQUEST that lists every failing field. */
export function readFields<T extends z.ZodObject>(schema: T, fields: unknown): z.output<T> {
  const read = readEnvelope(schema, fields);
  if (read.ok) return read.value;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw invalidRequest(read.errors);
  const body = fields as Readonly<Record<string, unknown>>;
  const passes = (changed: object) => readEnvelope(schema, changed).ok;
  throw invalidRequest(withChanges(read.errors, body), sureFixes(read.errors, body, passes));
}
