import type { Readable } from 'node:stream';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { count } from '../../infra/contract/quote.ts';
import { mebibytes } from './memory-budget.ts';

/** The slowest accepted upload or reader. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** Seconds that a transfer may be behind this rate. */
  readonly patienceSeconds: number;
}

export const usualPace: Pace = { bytesPerSecond: 32 * 1024, patienceSeconds: 10 };

/** Upload time of the largest body at the slowest pace. */
export const longestUploadSeconds = limits.bodyBytes / usualPace.bytesPerSecond + usualPace.patienceSeconds;

export const tooLarge = (received: string, limit: number): ApiError =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The body has ${received} bytes; at most ${count(limit)} bytes (${mebibytes(limit)}) are allowed. Send ` +
      'fewer trials per request (with `defer_fit`, in several batches), or `x` as base64 float32.',
    { field: 'body' },
  );

/** An upload fell behind its pace. The rest of it is not awaited. */
class TooSlow extends ApiError {
  constructor(received: number, seconds: number, { bytesPerSecond, patienceSeconds }: Pace) {
    super(
      'INVALID_REQUEST',
      `The body arrived too slowly: ${received} bytes in ${seconds.toFixed(0)} s, and ${bytesPerSecond} bytes a second ` +
        `are required. A pause may last ${patienceSeconds} s at most. Send fewer trials per request, or \`x\` as base64 ` +
        'float32, which is a quarter of the bytes.',
      { field: 'body' },
    );
  }
}

/** The caller disconnected while sending its body. No one reads the answer, and the service is not at fault. */
export class BodyCutOff extends ApiError {
  constructor(cause: Error) {
    super('INVALID_REQUEST', 'The connection ended before the whole body arrived.', { field: 'body', cause });
  }
}

/**
 * First buffer size of a body, whatever length it declares. A prediction of one trial fits, so that it is not copied
 * twice.
 */
const firstBytes = 256 * 1024;
/** Factors by which a full buffer grows: up to a declared length, whose memory is reserved; and without one. */
const growth = { declared: 4, undeclared: 2 } as const;

export interface CollectOptions {
  /** Content-Length; null where there is none. */
  readonly expected: number | null;
  readonly limit: number;
  readonly pace: Pace;
  /** Reserves memory for this many bytes in all. Throws if there is none. */
  readonly room: (bytes: number) => void;
  /** Aborts when the body is no longer needed. The rest is then read and discarded. */
  readonly unwanted?: AbortSignal;
}

/**
 * Collects a stream into one buffer. Each chunk is copied when it arrives, so that a large body does not block others.
 * Rejects a body that is too large, too slow, truncated, or for which there is no memory; reading then stops.
 */
export function collect(stream: Readable, options: CollectOptions): Promise<Uint8Array<ArrayBuffer>> {
  const { expected, limit, pace, room, unwanted } = options;
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let bytes = new Uint8Array(0);
    let length = 0;
    /** Remaining seconds without a byte. */
    let patience = pace.patienceSeconds;
    let checkedAt = started;

    const end = (error: Error | null): void => {
      clearInterval(timer);
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      unwanted?.removeEventListener('abort', onUnwanted);
      if (!error) return resolve(bytes.subarray(0, length));
      stream.on('error', () => undefined);
      if (!unwanted?.aborted) stream.pause();
      reject(error);
    };
    const grow = (to: number): void => {
      const factor = expected === null ? growth.undeclared : growth.declared;
      const size = Math.max(to, Math.min(expected ?? limit, Math.max(bytes.length * factor, firstBytes)));
      room(expected ?? size);
      // Not zeroed: only the received bytes are returned.
      const larger = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    };
    const onData = (chunk: Uint8Array): void => {
      try {
        if (length + chunk.length > limit) throw tooLarge(`more than ${count(limit)}`, limit);
        if (length + chunk.length > bytes.length) grow(length + chunk.length);
      } catch (error) {
        return end(error as Error);
      }
      bytes.set(chunk, length);
      length += chunk.length;
      patience = Math.min(pace.patienceSeconds, patience + chunk.length / pace.bytesPerSecond);
    };
    const onEnd = (): void => end(null);
    const onUnwanted = (): void => end(new Error('Nobody wants the body any more.'));
    const onError = (error: Error): void => end(new BodyCutOff(error));
    const onClose = (): void => onError(new Error('aborted'));
    const timer = setInterval(() => {
      const now = performance.now();
      patience -= (now - checkedAt) / 1000;
      checkedAt = now;
      if (patience < 0) end(new TooSlow(length, (now - started) / 1000, pace));
    }, pace.patienceSeconds * 100);

    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
    unwanted?.addEventListener('abort', onUnwanted);
    // The connection ended before the body was requested, so no further event arrives.
    if (stream.destroyed) onClose();
  });
}
