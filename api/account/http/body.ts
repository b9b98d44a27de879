import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '../../../infra/contract/errors.ts';
import { invalidRequest } from '../../../infra/contract/invalid-request.ts';
import { quoted } from '../../../infra/contract/quote.ts';
import { smallBody } from '../../contract/operation.ts';
import { readEnvelope } from '../../contract/read-envelope.ts';
import { clientAddress } from '../../http/client-address.ts';
import { collect, usualPace } from '../../http/collect.ts';
import { parseSmallBody } from '../../http/body.ts';
import { MemoryBudget } from '../../http/memory-budget.ts';

/** Total bytes of request bodies that one process keeps in memory for these routes. */
const allBytes = 256 * smallBody;

/** Reads JSON bodies of at most 64 KiB. One network address may use at most half of the total memory. */
export function acceptSmallBodies(scope: FastifyInstance): void {
  const budget = new MemoryBudget(allBytes, 'request bodies');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const declared = request.headers['content-length'];
    const expected = declared === undefined ? null : Number(declared);
    const reservation = budget.reserve(clientAddress(request));
    try {
      const room = (bytes: number): void => reservation.resize(bytes);
      return await collect(payload, { expected, limit: smallBody, pace: usualPace, room });
    } finally {
      reservation.resize(0);
    }
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

/** Fields that an error message must not quote. */
const secretFields: ReadonlySet<string> = new Set(['password', 'current', 'token', 'invitation']);

const hidden = (value: unknown): unknown => (typeof value === 'string' ? '*'.repeat(value.length) : {});

/** A body without its secrets, for error messages. */
const shown = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, secretFields.has(name) ? hidden(value) : value]),
      )
    : body;

/** The parser's message quotes a part of the body, which may be a password. */
const withoutReason = (): string => 'The body is not JSON.';

/**
 * Validates the body against its schema. Throws INVALID_REQUEST that lists every failing field and quotes no secret.
 */
export function readBodyOf<T>(schema: z.ZodType<T>, bytes: unknown): T {
  const body = parseSmallBody(bytes, {}, withoutReason);
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const explained = readEnvelope(schema, shown(body));
  throw invalidRequest(explained.ok ? [{ field: 'body', message: 'The body is not accepted.' }] : explained.errors);
}
