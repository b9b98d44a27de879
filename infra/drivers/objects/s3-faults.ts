import { StoreUnavailable } from './bytes.ts';

/** An error of the SDK: its name is a code of S3, of Node or of the SDK itself. */
interface SdkError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const statusOf = (error: unknown): number | null => (error as SdkError).$metadata?.httpStatusCode ?? null;
const codeOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** Whether S3 reports a missing key (not a missing bucket or upload). */
export const isNoKey = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(codeOf(error));

/** Whether S3 reports a missing multipart upload: it was completed or aborted. */
export const isNoUpload = (error: unknown): boolean => codeOf(error) === 'NoSuchUpload';

/** Whether a condition of a put failed. */
export const isFailedCondition = (error: unknown): boolean => statusOf(error) === 412;

/** Whether two conditional puts collided, so that this one must be sent again. */
export const isConflict = (error: unknown): boolean => statusOf(error) === 409;

/** Whether the SDK received bytes with a wrong checksum. */
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

/** Whether the server does not support the request, so that other requests must replace it. */
export const isUnknownOperation = (error: unknown): boolean => unknownOperation.has(codeOf(error));

const credentials =
  'Give the process credentials that may list the bucket and read, write and delete its objects. Set ' +
  'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or the role of the machine.';
const place =
  'See that bucket, region and endpoint in OBJECT_STORE_URL belong together, and that the server knows its settings.';

/** Remedies for a person, by the code of the error. */
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

/** Codes of retryable requests although their HTTP status is 4xx. */
const passing = new Set([408, 409, 429]);

/**
 * Converts an error of the SDK to a StoreUnavailable with its code and message, without the fields that quote the
 * request.
 */
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
