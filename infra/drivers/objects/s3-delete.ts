import { DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3';
import type { ByteStore } from './bytes.ts';
import { isUnknownOperation } from './s3-faults.ts';
import type { S3Session } from './s3-session.ts';

/** Most objects that S3 deletes in one request. */
const mostTogether = 1_000;
const singlesAtATime = 8;

/** Deletes many objects in one request; one by one if the server does not support that. */
export function createS3Delete(
  { client, keyOf, inTime, withStoreErrors }: S3Session,
  Bucket: string,
): ByteStore['delete'] {
  let together = true;
  const deleteOne = async (name: string): Promise<void> => {
    await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }), inTime());
  };
  const deleteTogether = async (names: readonly string[]): Promise<void> => {
    const Delete = { Objects: names.map((name) => ({ Key: keyOf(name) })), Quiet: true };
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }), inTime());
    const left = Errors.find(({ Code }) => Code !== 'NoSuchKey');
    if (left) throw Object.assign(new Error(left.Message), { name: left.Code });
  };
  return (names) =>
    withStoreErrors(async () => {
      const pages = chunksOf(names, mostTogether);
      for (const page of pages) {
        if (page.length > 1 && together)
          try {
            await deleteTogether(page);
            continue;
          } catch (error) {
            if (!isUnknownOperation(error)) throw error;
            together = false;
          }
        for (const some of chunksOf(page, singlesAtATime)) await Promise.all(some.map(deleteOne));
      }
    });
}

const chunksOf = <T>(items: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
