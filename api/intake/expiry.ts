import type { Problem } from './problems.ts';

/** `expires_at` lies in the future, and only one of the two expiry fields is sent. */
export function expiryProblems(
  expiresAt: string | null | undefined,
  expiresInDays: number | null | undefined,
  now: Date,
): Problem[] {
  const problems: Problem[] = [];
  if (expiresAt != null && !(Date.parse(expiresAt) > now.getTime())) {
    problems.push({
      field: 'expires_at',
      message: `expires_at is ${expiresAt}, which is not in the future (now: ${now.toISOString()}).`,
      alternatives: [null],
    });
  }
  if (expiresAt != null && expiresInDays != null) {
    problems.push({
      field: 'expires_in_days',
      message: `expires_at (${expiresAt}) and expires_in_days (${expiresInDays}) are both sent; send one of the two.`,
      alternatives: [null],
    });
  }
  return problems;
}
