import { S3Client } from '@aws-sdk/client-s3';
import { ObjectAltered, ObjectConflict } from './bytes.ts';
import { s3Fault } from './s3-faults.ts';
import type { S3Location } from './s3-url.ts';

/** Timeouts in milliseconds, and the number of attempts. */
export interface RequestLimits {
  /** Until the connection is open. */
  readonly connectMs: number;
  /** Without a byte in either direction. */
  readonly silenceMs: number;
  /** For one request with all its attempts. */
  readonly wholeMs: number;
  readonly attempts: number;
}

/** `wholeMs` is shorter than the timeout of any API task that writes to the store (`api/threads/client.ts`). */
const usualLimits: RequestLimits = { connectMs: 3_000, silenceMs: 5_000, wholeMs: 25_000, attempts: 4 };

/** Client, limits and names for all operations on one bucket. */
export interface S3Session {
  readonly client: S3Client;
  readonly limits: RequestLimits;
  /** Key of an object's name. */
  keyOf(name: string): string;
  nameOf(key: string): string;
  /** Options of a request: it is aborted after `wholeMs`. */
  inTime(): { readonly abortSignal: AbortSignal };
  /** Runs `work` and converts errors of the SDK to errors of the store. */
  withStoreErrors<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Creates the SDK's client. It finds credentials by its usual chain (environment, profile, web identity, the machine's
 * role), waits longer after each failed attempt and after SlowDown, and adds a checksum to uploads.
 */
export function openS3Session(at: S3Location, wanted: Partial<RequestLimits> = {}): S3Session {
  const { bucket, prefix, region, endpoint, pathStyle, checksums } = at;
  const limits = { ...usualLimits, ...wanted };
  const when = checksums === 'when_required' ? 'WHEN_REQUIRED' : 'WHEN_SUPPORTED';
  const client = new S3Client({
    region,
    ...(endpoint !== null && { endpoint }),
    forcePathStyle: pathStyle,
    retryMode: 'standard',
    maxAttempts: limits.attempts,
    requestChecksumCalculation: when,
    responseChecksumValidation: when,
    requestHandler: { connectionTimeout: limits.connectMs, socketTimeout: limits.silenceMs },
  });
  return {
    client,
    limits: limits,
    keyOf: (name) => prefix + name,
    nameOf: (key) => key.slice(prefix.length),
    inTime: () => ({ abortSignal: AbortSignal.timeout(limits.wholeMs) }),
    async withStoreErrors(work) {
      try {
        return await work();
      } catch (error) {
        throw error instanceof ObjectConflict || error instanceof ObjectAltered ? error : s3Fault(error, bucket);
      }
    },
  };
}
