import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidRequest } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { readEnvelope } from '../contract/read-envelope.ts';

const nothing = (): void => undefined;

/** Bytes of bodies that one process holds unread at once, before it answers 503 POOL_SATURATED. */
const bytesInFlight = 24 * limits.bodyBytes;

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

const tooLarge = (received: string, limit: number): ApiError =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body has ${received}; at most ${mebibytes(limit)} (${limit} bytes) are allowed.`,
    {
      field: 'body',
      alternatives: ['Send fewer trials per request (with `defer_fit`, in several batches), or `x` as base64 float32.'],
    },
  );

/**
 * Collects a stream into one buffer. It is copied chunk by chunk as it arrives, so that no large body holds up others.
 */
async function collect(
  stream: AsyncIterable<Uint8Array>,
  expected: number | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(expected ?? 64 * 1024);
  let length = 0;
  for await (const chunk of stream) {
    if (length + chunk.length > limit) throw tooLarge(`more than ${limit} bytes`, limit);
    if (length + chunk.length > bytes.length) {
      const larger = new Uint8Array(Math.min(limit, Math.max(bytes.length * 2, length + chunk.length)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

/**
 * Bodies as raw bytes: routes hand them to a thread unread. Refuses what is not JSON, is compressed, or is larger than
 * the route's limit (spec, "Limits"); a large body is refused by its Content-Length before it is read.
 */
export function acceptBodies(scope: FastifyInstance): void {
  let held = 0;
  const read = async (request: FastifyRequest, payload: IncomingMessage): Promise<Uint8Array> => {
    const limit = request.routeOptions.config.bodyBytes ?? limits.bodyBytes;
    const encoding = request.headers['content-encoding'];
    if (encoding && encoding !== 'identity') {
      throw new ApiError(
        'INVALID_REQUEST',
        `Content-Encoding ${encoding.slice(0, 40)} is not accepted; send the JSON uncompressed.`,
        { field: 'Content-Encoding', alternatives: ['identity'] },
      );
    }
    const declared = request.headers['content-length'];
    const expected = declared === undefined ? null : Number(declared);
    if (expected !== null && expected > limit) throw tooLarge(mebibytes(expected), limit);
    const share = expected ?? limit;
    if (held + share > bytesInFlight) {
      throw new ApiError(
        'POOL_SATURATED',
        `This process holds ${mebibytes(held)} of request bodies, its limit is ${mebibytes(bytesInFlight)}.`,
        { retryAfterSeconds: 2 },
      );
    }
    const { socket } = request.raw;
    held += share;
    request.releaseBody = () => {
      held -= share;
      request.releaseBody = nothing;
      socket.off('close', release);
    };
    const release = (): void => request.releaseBody();
    socket.once('close', release);
    try {
      return await collect(payload as AsyncIterable<Uint8Array>, expected, limit);
    } catch (error) {
      release();
      throw error;
    }
  };
  scope.decorateRequest('releaseBody', nothing);
  scope.addHook('onResponse', async (request) => request.releaseBody());
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', read);
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    payload.resume();
    const type = request.headers['content-type'];
    throw new ApiError(
      'INVALID_REQUEST',
      `The body is ${type ? `"${type.slice(0, 80)}"` : 'of no declared type'}; bodies are JSON.`,
      { field: 'Content-Type', alternatives: ['application/json'] },
    );
  });
}

/** Reads a small JSON body on the main thread; without one, `empty`. */
export function parseSmallBody(body: unknown, empty: unknown): unknown {
  if (!(body instanceof Uint8Array) || body.length === 0) return empty;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch (cause) {
    throw new ApiError('INVALID_REQUEST', `The body (${body.length} bytes) is not JSON: ${(cause as Error).message}`, {
      field: 'body',
      cause,
    });
  }
}

/** Fields that pass the schema, with its defaults; throws INVALID_REQUEST that lists every failing one. */
export function readFields<T extends z.ZodType>(schema: T, fields: unknown): z.output<T> {
  const read = readEnvelope(schema, fields);
  if (!read.ok) throw invalidRequest(read.errors);
  return read.value;
}
