import { StoreUnavailable } from './bytes.ts';

/** What the SDK throws: its name is the code of S3, or that of Node or of the SDK itself. */
interface SdkError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const statusOf = (error: unknown): number | null => (error as SdkError).$metadata?.httpStatusCode ?? null;
const codeOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Whether S3 says that the key (no bucket, no upload) is not there. */
export const isNoKey = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(codeOf(error));

/** Whether S3 says that a multipart upload is not there: it was completed or aborted. */
export const isNoUpload = (error: unknown): boolean => codeOf(error) === 'NoSuchUpload';

/** Whether a condition of a put does not hold. */
export const isFailedCondition = (error: unknown): boolean => statusOf(error) === 412;

/** Whether two conditional puts met, so that this one is to be sent again. */
export const isCrossed = (error: unknown): boolean => statusOf(error) === 409;

/** Whether the SDK found other bytes than those that were written. */
export const isMismatch = (error: unknown): boolean =>
  error instanceof Error && /checksum mismatch/i.test(error.message);

const unknownOperation = new Set([
  'NotImplemented',
  'MethodNotAllowed',
  'MissingContentMD5',
  'InvalidDigest',
  'InvalidRequest',
  'MalformedXML',
]);

/** Whether the server does not know what was asked, which other requests can do as well. */
export const isUnknownOperation = (error: unknown): boolean => unknownOperation.has(codeOf(error));

const credentials =
  'Give the process credentials that may list the bucket and read, write and delete its objects. Set ' +
  'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or the role of the machine.';
const place =
  'See that bucket, region and endpoint in OBJECT_STORE_URL belong together, and that the server knows its settings.';

/** What a person can do, by the code of the error. */
const remedies: Readonly<Record<string, string>> = {
  XAdminUserNotFound: credentials,
  NoSuchBucket: 'Create the bucket, or correct OBJECT_STORE_URL.',
  InvalidBucketName: place,
  PermanentRedirect: place,
  AuthorizationHeaderMalformed: place,
  IllegalLocationConstraintException: place,
  RequestTimeTooSkewed: 'Set the clock of this machine.',
  NotImplemented: 'The server lacks what the service needs; try checksums=when_required in OBJECT_STORE_URL.',
};

const absent = new Set(['CredentialsProviderError', 'TokenProviderError']);

/** Requests that may be sent again although S3 answers them with a status of 4xx. */
const passing = new Set([408, 409, 429]);

/** An error of the SDK as the service tells it: its code and words, and none of the fields that quote the request. */
export function s3Fault(thrown: unknown, bucket: string): StoreUnavailable {
  if (thrown instanceof StoreUnavailable) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const [code, status] = [codeOf(error), statusOf(error)];
  if (absent.has(code))
    return new StoreUnavailable('refused', `The AWS SDK finds no credentials for the bucket ${bucket}. ${credentials}`);
  const said = `${code}${status === null ? '' : `, HTTP ${status}`}: ${error.message.slice(0, 300)}`;
  const refused = code === 'NotImplemented' || (status !== null && status >= 300 && status < 500);
  if (!refused || passing.has(status ?? 0))
    return new StoreUnavailable('unreachable', `The bucket ${bucket} cannot be reached (${said}).`);
  const remedy = remedies[code] ?? (status === 401 || status === 403 ? credentials : place);
  return new StoreUnavailable('refused', `The bucket ${bucket} refuses the service (${said}). ${remedy}`);
}
