import { createHash, randomBytes } from 'node:crypto';

/** What stands in a cookie or in a link, and the only thing that is stored of it. */
export interface Token {
  /** 256 random bits as 43 characters of base64url. */
  readonly token: string;
  readonly hash: Buffer;
}

export function newToken(): Token {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

/** SHA-256: of 256 random bits nothing slower is needed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
