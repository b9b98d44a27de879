import { BucketAlreadyExists, BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ConfigError, loadConfig } from '../drivers/config.ts';
import { parseS3Url } from '../drivers/objects/s3-url.ts';

/**
 * `node infra/deploy/make-bucket.ts`: makes the bucket of OBJECT_STORE_URL where it is missing, without versions, which
 * would keep deleted signals where no lifecycle rule ends them (BACKUP.md). For a server of one's own; in a cloud the
 * bucket is the operator's to make.
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
