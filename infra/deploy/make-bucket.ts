import { BucketAlreadyExists, BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ConfigError, loadConfig } from '../drivers/config.ts';
import { parseS3Url } from '../drivers/objects/s3-url.ts';

/**
 * `node infra/deploy/make-bucket.ts`: creates the bucket of OBJECT_STORE_URL if it is missing. The bucket has no
 * versions, because they would keep deleted signals if no lifecycle rule removes them (BACKUP.md). For an S3 server of
 * your own; in a cloud, create the bucket yourself.
 */
const { objectStoreUrl } = loadConfig();
if (!objectStoreUrl?.startsWith('s3:'))
  throw new ConfigError(['OBJECT_STORE_URL must name a bucket: s3://bucket/prefix?region=…&endpoint=….']);
const { bucket: Bucket, region, endpoint, pathStyle } = parseS3Url(objectStoreUrl);
const client = new S3Client({ region, endpoint: endpoint ?? undefined, forcePathStyle: pathStyle });
await client.send(new CreateBucketCommand({ Bucket })).catch((error: unknown) => {
  if (!(error instanceof BucketAlreadyOwnedByYou || error instanceof BucketAlreadyExists)) throw error;
});
process.stdout.write(`The bucket ${Bucket} is there.\n`);
