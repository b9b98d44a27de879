import { dayMs } from '../../infra/contract/limits.ts';
import { brief } from '../../infra/contract/quote.ts';
import type { CreateRequest } from '../contract/requests.ts';
import type { Problem } from './problems.ts';
import { requestSentence } from './request-sentences.ts';

type Expiry = Pick<CreateRequest, 'expires_at' | 'expires_in_days'>;

/** A date-time without an offset, as Python's `isoformat()` writes it. */
const isNaive = (text: string): boolean => text.includes('T') && !/(?:Z|[+-]\d\d:\d\d)$/i.test(text);

/** The instant of an ISO 8601 date or date-time; without an offset it is UTC. */
export const instantOf = (text: string): Date => new Date(isNaive(text) ? `${text}Z` : text);

/** Warning about an `expires_at` without an offset. */
export const expiryWarnings = (expiresAt: string | null | undefined): string[] =>
  expiresAt != null && isNaive(expiresAt)
    ? [requestSentence('expires_at', { sent: brief(expiresAt), read: instantOf(expiresAt).toISOString() })]
    : [];

/** Rejects an `expires_at` that is not in the future; null if it is valid or absent. */
export const pastExpiry = (expiresAt: string | null | undefined, now: Date): Problem | null =>
  expiresAt == null || instantOf(expiresAt) > now
    ? null
    : {
        field: 'expires_at',
        message:
          `expires_at is ${brief(expiresAt)}, which is not in the future (now: ${now.toISOString()}). ` +
          'null, or no `expires_at`, hosts the model until it is deleted.',
      };

/** Checks that `expires_at` is in the future, and that only one of the two expiry fields is sent. */
export function expiryProblems(
  { expires_at: expiresAt, expires_in_days: days }: Partial<Expiry>,
  now: Date,
): readonly Problem[] {
  const past = pastExpiry(expiresAt, now);
  const problems = past ? [past] : [];
  if (expiresAt != null && days != null) {
    problems.push({
      field: 'expires_in_days',
      message: `expires_at (${brief(expiresAt)}) and expires_in_days (${days}) are both sent; send one of the two.`,
    });
  }
  return problems;
}

/** The instant of expiry: `expires_at`, or `expires_in_days` from the instant of the request; null: never. */
export function expiryOf({ expires_at: expiresAt, expires_in_days: days }: Expiry, at: Date): Date | null {
  if (expiresAt !== null) return instantOf(expiresAt);
  return days === null ? null : new Date(at.getTime() + days * dayMs);
}
