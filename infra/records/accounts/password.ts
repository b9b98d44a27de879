import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { AccountError } from './errors.ts';

const derive = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  options: object,
) => Promise<Buffer>;
const cost = { N: 32_768, r: 8, p: 1 };
const maxmem = 64 * 1024 * 1024;

/**
 * `scrypt$N$r$p$salt$hash`, so that the cost can rise later without locking anyone out. AccountError for a password
 * of fewer than 8 characters.
 */
export async function hashPassword(password: string): Promise<string> {
  if (password.length < 8)
    throw new AccountError(`The password has ${password.length} characters; at least 8 are needed.`);
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, 32, { ...cost, maxmem });
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Whether the password is the hashed one; constant time for one stored hash. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [name, n, r, p, salt, hash] = stored.split('$');
  if (name !== 'scrypt' || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const options = { N: Number(n), r: Number(r), p: Number(p), maxmem };
  const actual = await derive(password.normalize('NFKC'), Buffer.from(salt!, 'base64url'), expected.length, options);
  return timingSafeEqual(actual, expected);
}
