export {
  acceptTerms,
  createAccount,
  emailOf,
  findAccount,
  isEmail,
  resume,
  setLimits,
  setPasswordHash,
  suspend,
} from './accounts.ts';
export type { Account, AccountLimits } from './accounts.ts';
export { forgetAttempts, giveBackAttempt, takeAttempt } from './attempts.ts';
export type { Attempt } from './attempts.ts';
export { closingState, markClosed, reapClosedAccounts } from './close.ts';
export type { ClosingState } from './close.ts';
export { AccountError } from './account-error.ts';
export { generateKey, keyPrefix, parseKey } from './key-format.ts';
export { createKey, findKey, listKeys, revokeKey, rotateKey } from './keys.ts';
export type { StoredKey } from './keys.ts';
export { endLinks, linkPaths, makeInvitation, makeLink, takeInvitation, takeLink } from './links.ts';
export { listAccounts } from './list.ts';
export type { ListedAccount } from './list.ts';
export { hashPassword, isOutdated, passwordFault, verifyPassword } from './password.ts';
export { reapAccounts } from './reap-accounts.ts';
export { endSession, endSessions, findSession, sessionDays, startSession } from './sessions.ts';
export {
  approveCredit,
  freeCreditChoices,
  readSignUpPolicy,
  setSignUpPolicy,
  signUpModes,
  wasClosed,
} from './sign-up.ts';
export type { SignUpPolicy } from './sign-up.ts';
export { lastAcceptance, recordAcceptance } from './terms.ts';
export { hashToken } from './tokens.ts';
