import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { terms } from '../../infra/contract/terms.ts';
import type { Refused } from '../../infra/records/admission/admit.ts';

const keyHelp = 'Send `Authorization: Bearer <API_KEY>` with a key from the account dashboard.';

export const unauthenticated = (message: string): ApiError =>
  new ApiError('UNAUTHENTICATED', `${message} ${keyHelp}`, {
    field: 'Authorization',
  });

type Explain = (refused: Refused, scopes: readonly string[], ip: string) => ApiError;
const on = (date: Date | null): string => (date ? ` on ${date.toISOString()}` : '');

/** The answer to an authenticated caller that is not admitted. */
export const refusals: Readonly<Record<Exclude<Refused['outcome'], 'UNAUTHENTICATED'>, Explain>> = {
  KEY_REVOKED: ({ since }) =>
    new ApiError('KEY_REVOKED', `The API key was revoked${on(since)}. Use another key of the account.`, {
      field: 'Authorization',
    }),
  KEY_EXPIRED: ({ since }) =>
    new ApiError('KEY_EXPIRED', `The API key expired${on(since)}. Create a new key.`, { field: 'Authorization' }),
  TENANT_SUSPENDED: ({ since }) =>
    new ApiError(
      'TENANT_SUSPENDED',
      `The account is paused${since ? ` since ${since.toISOString()}` : ''}, usually after a failed payment. ` +
        'Write to the operator.',
    ),
  IP_NOT_ALLOWED: (_refused, _scopes, ip) =>
    new ApiError('IP_NOT_ALLOWED', `The API key does not allow requests from ${ip}.`),
  SCOPE_MISSING: ({ keyScopes }, scopes) =>
    new ApiError(
      'SCOPE_MISSING',
      `This endpoint needs the permission ${scopes.join(' or ')}; the key has ${keyScopes.join(', ') || 'none'}.`,
      { advice: [`Use a key with the permission ${scopes[0]}.`] },
    ),
  TERMS_NOT_ACCEPTED: () =>
    new ApiError(
      'SCOPE_MISSING',
      `The terms of service of ${terms.version} have not been accepted for this account. Read and accept them at ` +
        '/dashboard/terms first.',
    ),
  SERVING_DISABLED: ({ message, retryAfterSeconds }) =>
    new ApiError('SERVING_DISABLED', message ?? 'The service is paused for maintenance.', {
      retryAfterSeconds: retryAfterSeconds ?? 60,
    }),
  WINDOW: ({ rate, retryAfterSeconds }) =>
    new ApiError(
      'RATE_LIMITED',
      `The account's ${rate?.limit} requests per ${limits.rateWindowSeconds} s are used; the window ends in ` +
        `${Math.ceil(retryAfterSeconds ?? 1)} s.`,
      { retryAfterSeconds: retryAfterSeconds ?? 1 },
    ),
  BURST: ({ burst, retryAfterSeconds }) =>
    new ApiError(
      'RATE_LIMITED',
      `The account's burst of ${burst} requests in one second is used. Wait ${Math.ceil(retryAfterSeconds ?? 1)} s.`,
      {
        retryAfterSeconds: retryAfterSeconds ?? 1,
      },
    ),
  CONCURRENCY_LIMITED: ({ concurrency, retryAfterSeconds }) =>
    new ApiError('CONCURRENCY_LIMITED', `The account has ${concurrency} requests in flight, which is its limit.`, {
      retryAfterSeconds: retryAfterSeconds ?? 1,
    }),
};
