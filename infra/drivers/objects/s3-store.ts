import {
  AbortMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
} from '@aws-sdk/client-s3';
import { ownerOf } from '../../contract/object-names.ts';
import { ObjectAltered, type ByteStore, type Found } from './bytes.ts';
import { createS3Delete } from './s3-delete.ts';
import { isMismatch, isNoKey, isNoUpload } from './s3-faults.ts';
import { createS3Put } from './s3-put.ts';
import { openS3Session, type RequestLimits, type S3Session } from './s3-session.ts';
import type { S3Location } from './s3-url.ts';

export interface S3Options {
  readonly limits?: Partial<RequestLimits>;
  /** Keys of one page of a listing. */
  readonly pageSize?: number;
}

/** Objects in a bucket. Errors of S3 become StoreUnavailable. */
export function createS3Store(at: S3Location, { limits, pageSize = 1_000 }: S3Options = {}): ByteStore {
  const session = openS3Session(at, limits);
  const { client, keyOf, nameOf, inTime, withStoreErrors } = session;
  const { bucket: Bucket, prefix: root } = at;
  return {
    put: createS3Put(session, at),
    delete: createS3Delete(session, Bucket),
    get: createGet(session, at),
    async *pages(prefix, after) {
      let ContinuationToken: string | undefined;
      do {
        const asked = { Bucket, Prefix: keyOf(prefix), MaxKeys: pageSize, ContinuationToken };
        const from = after === undefined ? {} : { StartAfter: keyOf(after) };
        const page = await withStoreErrors(() =>
          client.send(new ListObjectsV2Command({ ...asked, ...from }), inTime()),
        );
        const found = (page.Contents ?? []).map(({ Key, LastModified }): Found => ({
          name: nameOf(Key!),
          modifiedAt: LastModified!,
        }));
        if (found.length > 0) yield found;
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken);
    },
    removeDrafts: (before) =>
      withStoreErrors(async () => {
        const abort = async ({ Key, UploadId }: MultipartUpload): Promise<boolean> => {
          try {
            await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), inTime());
            return true;
          } catch (error) {
            if (isNoUpload(error)) return false;
            throw error;
          }
        };
        const old: MultipartUpload[] = [];
        let more: { KeyMarker?: string } | null = {};
        while (more) {
          const asked = new ListMultipartUploadsCommand({ Bucket, Prefix: root, MaxUploads: pageSize, ...more });
          const page: ListMultipartUploadsCommandOutput = await client.send(asked, inTime());
          const ours = (page.Uploads ?? []).filter(({ Key }) => Key !== undefined && ownerOf(nameOf(Key)));
          old.push(...ours.filter(({ Initiated }) => Initiated && Initiated < before));
          // Further uploads of the last key wait for the next call: not every server supports paging between them.
          more = page.IsTruncated ? { KeyMarker: page.NextKeyMarker } : null;
        }
        let removed = 0;
        for (const each of old) removed += Number(await abort(each));
        return removed;
      }),
  };
}

function createGet(
  { client, limits, keyOf, inTime, withStoreErrors }: S3Session,
  { bucket: Bucket, checksums }: S3Location,
): ByteStore['get'] {
  const verified = checksums === 'when_required' ? {} : ({ ChecksumMode: 'ENABLED' } as const);
  return (name) =>
    withStoreErrors(async () => {
      for (let attempt = 1; ; attempt++) {
        const asked = new GetObjectCommand({ Bucket, Key: keyOf(name), ...verified });
        const answer = await client.send(asked, inTime()).catch((error: unknown) => {
          if (isNoKey(error)) return null;
          throw error;
        });
        if (answer === null) return null;
        try {
          return { bytes: await answer.Body!.transformToByteArray(), version: answer.ETag! };
        } catch (error) {
          // The SDK retries a request, but does not retry a response that was interrupted.
          if (attempt < limits.attempts) continue;
          throw isMismatch(error) ? new ObjectAltered(name) : error;
        }
      }
    });
}
