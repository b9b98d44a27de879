import { createHash, randomBytes } from 'node:crypto';

/** Token of a cookie or a link, and its hash, the only part that is stored. */
export interface Token {
  /** 256 random bits as 43 characters of base64url. */
  readonly token: string;
  readonly hash: Buffer;
}

export function newToken(): Token {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** SHA-256: 256 random bits need no slower hash. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
