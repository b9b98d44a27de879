import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeadObjectCommand, type PutObjectCommandInput } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { ObjectConflict, type ByteStore, type Expected } from './bytes.ts';
import { isConflict, isFailedCondition, isNoKey, isNoUpload } from './s3-faults.ts';
import type { S3Session } from './s3-session.ts';
import type { S3Location } from './s3-url.ts';

/** Larger objects are uploaded in parts of this size, several at a time. */
const partBytes = 8 * 1024 * 1024;
const partsAtATime = 3;
/** Most attempts of a put that collides with another one, or whose upload another attempt has ended. */
const mostBegun = 5;

/**
 * Puts of one bucket. Each put marks its object, so that the next attempt recognizes it if the response was lost and
 * the condition now fails. A failed put aborts the upload of its parts.
 */
export function createS3Put(
  { client, limits, keyOf, inTime, withStoreErrors }: S3Session,
  { bucket: Bucket, checksums, encryption }: S3Location,
): ByteStore['put'] {
  const always: Partial<PutObjectCommandInput> = {
    ...(checksums !== 'when_required' && { ChecksumAlgorithm: checksums === 'sha256' ? 'SHA256' : 'CRC32' }),
    ...(encryption && { ServerSideEncryption: encryption.by }),
    ...(encryption?.keyId && { SSEKMSKeyId: encryption.keyId }),
  };
  const upload = async (params: PutObjectCommandInput): Promise<void> => {
    const abortController = new AbortController();
    const late = setTimeout(() => abortController.abort(), limits.wholeMs);
    try {
      await new Upload({ client, abortController, partSize: partBytes, queueSize: partsAtATime, params }).done();
    } finally {
      clearTimeout(late);
    }
  };
  const isWritten = async (Key: string, write: string): Promise<boolean> => {
    try {
      const { Metadata } = await client.send(new HeadObjectCommand({ Bucket, Key }), inTime());
      return Metadata?.['write'] === write;
    } catch (error) {
      if (isNoKey(error)) return false;
      throw error;
    }
  };
  return (name, bytes, expected) =>
    withStoreErrors(async () => {
      const [Key, write] = [keyOf(name), randomUUID()];
      const params = { ...always, ...conditionOf(expected), Bucket, Key, Body: bytes, Metadata: { write } };
      for (let begun = 1; ; begun++) {
        try {
          return await upload(params);
        } catch (error) {
          const broken = isFailedCondition(error) || isNoKey(error);
          const disturbed = isConflict(error) || isNoUpload(error);
          if (!broken && !disturbed) throw error;
          if (await isWritten(Key, write)) return;
          if (broken && expected) throw new ObjectConflict(name, expected);
          if (broken || begun === mostBegun) throw error;
          await sleep(Math.random() * 100 * begun);
        }
      }
    });
}

const conditionOf = (expected?: Expected): Pick<PutObjectCommandInput, 'IfNoneMatch' | 'IfMatch'> =>
  expected === undefined ? {} : expected === 'nothing' ? { IfNoneMatch: '*' } : { IfMatch: expected.version };
