import { dayMs } from '../../infra/contract/limits.ts';
import type { CreateRequest } from '../contract/requests.ts';
import type { Problem } from './problems.ts';

type Expiry = Pick<CreateRequest, 'expires_at' | 'expires_in_days'>;

/** The failure of an `expires_at` that is not in the future; null where it is, or where none is sent. */
export const pastExpiry = (expiresAt: string | null | undefined, now: Date): Problem | null =>
  expiresAt == null || Date.parse(expiresAt) > now.getTime()
    ? null
    : {
        field: 'expires_at',
        message: `expires_at is ${expiresAt}, which is not in the future (now: ${now.toISOString()}).`,
        alternatives: [null],
      };

/** `expires_at` lies in the future, and only one of the two expiry fields is sent. */
export function expiryProblems(
  { expires_at: expiresAt, expires_in_days: days }: Partial<Expiry>,
  now: Date,
): readonly Problem[] {
  const past = pastExpiry(expiresAt, now);
  const problems = past ? [past] : [];
  if (expiresAt != null && days != null) {
    problems.push({
      field: 'expires_in_days',
      message: `expires_at (${expiresAt}) and expires_in_days (${days}) are both sent; send one of the two.`,
      alternatives: [null],
    });
  }
  return problems;
}

/** The instant of expiry: `expires_at`, or `expires_in_days` from the instant of the request; null: never. */
export function expiryOf({ expires_at: expiresAt, expires_in_days: days }: Expiry, at: Date): Date | null {
  if (expiresAt !== null) return new Date(expiresAt);
  return days === null ? null : new Date(at.getTime() + days * dayMs);
}
