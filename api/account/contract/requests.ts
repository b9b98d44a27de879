import { z } from 'zod';
import { scopes } from '../../../infra/contract/scopes.ts';
import { text } from '../../contract/request-fields.ts';

/**
 * Requests of the account pages, all under `/dashboard/api`. Every object is strict: the error names an unknown field.
 */

const email = text(254).min(3);
const password = z.string().min(1).max(1000);
const token = z.string().min(20).max(200);
const cap = z
  .string()
  .refine((amount) => /^\d{1,9}(\.\d{1,6})?$/.test(amount), {
    error: 'must be an amount such as 5 or 5.50, at most six decimals.',
  })
  .nullable()
  .optional();

export const signUp = z.strictObject({
  email,
  password,
  invitation: token.optional(),
  /** The accepted version of the terms. The terms can also be accepted later. */
  terms_version: z.string().max(100).optional(),
});
export const signIn = z.strictObject({ email, password });
/** A link from the operator: to set a new password, or (in the demo) to sign in once. */
export const resetPassword = z.strictObject({ token, password });
export const useLink = z.strictObject({ token });
export const changePassword = z.strictObject({ current: password, password });
export const acceptTerms = z.strictObject({ version: z.string().max(100) });

export const createKey = z.strictObject({
  name: text(100).min(1),
  mode: z.enum(['live', 'test']),
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .default([...scopes]),
  allow_ips: z.array(z.string().max(100)).max(50).default([]),
  expires_at: z.iso.datetime().nullable().default(null),
});

export const changeCaps = z.strictObject({ daily_cap_usd: cap, monthly_cap_usd: cap });
export const closeAccount = z.strictObject({ password, email });
