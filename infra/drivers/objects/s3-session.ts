import { S3Client } from '@aws-sdk/client-s3';
import { ObjectAltered, ObjectConflict } from './bytes.ts';
import { s3Fault } from './s3-faults.ts';
import type { S3Location } from './s3-url.ts';

/** How long a server may be silent, in milliseconds, and how often a request is sent. */
export interface RequestLimits {
  /** For a connection. */
  readonly connectMs: number;
  /** Without a byte in either direction. */
  readonly silenceMs: number;
  /** For one request with all its attempts. */
  readonly wholeMs: number;
  readonly attempts: number;
}

/** Whole: less than what any task of the API is given that writes to the store (`api/threads/client.ts`). */
const usualLimits: RequestLimits = { connectMs: 3_000, silenceMs: 5_000, wholeMs: 25_000, attempts: 4 };

/** What every operation on one bucket needs. */
export interface S3Session {
  readonly client: S3Client;
  readonly limits: RequestLimits;
  /** Key of an object, and back. */
  keyOf(name: string): string;
  nameOf(key: string): string;
  /** Options of a request: it ends with `wholeMs`. */
  inTime(): { readonly abortSignal: AbortSignal };
  /** Errors of the SDK become those of the store. */
  withStoreErrors<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The SDK's client finds credentials by its usual chain (environment, profile, web identity, the machine's role), waits
 * longer after each failed attempt and after SlowDown, and adds a checksum to what it sends.
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
