import { createHash, randomBytes } from 'node:crypto';

/** Token of a cookie or a link, and its hash, the only part that is stored. */
export interface Token {
  /** Random bits as base64url. */
  readonly token: string;
  readonly hash: Buffer;
}

function tokenOf(bytes: number): Token {
  const token = randomBytes(bytes).toString('base64url');
  return { token, hash: hashToken(token) };
}

export const newToken = (): Token => tokenOf(32);

/** A token in the address of a page: 128 random bits as 22 characters of base64url. */
export const newShortToken = (): Token => tokenOf(16);

/** SHA-256: 128 or more random bits need no slower hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
