export { acceptTerms, createAccount, findAccount, resume, setLimits, suspend } from './accounts.ts';
export type { Account, AccountLimits } from './accounts.ts';
export { AccountError } from './errors.ts';
export { generateKey, parseKey } from './key-format.ts';
export { createKey, revokeKey } from './keys.ts';
export { scopes } from './scopes.ts';
export type { NewKey } from './keys.ts';
export { hashPassword, verifyPassword } from './password.ts';
