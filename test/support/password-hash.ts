import { randomBytes, scryptSync } from 'node:crypto';
import { hashPassword } from '../../infra/records/accounts/index.ts';

let made: Promise<string> | undefined;

/** The hash of a password, made once for all accounts of a process: making one takes a tenth of a second. */
export const passwordHash = (): Promise<string> => (made ??= hashPassword('long enough'));

/** A hash as the first accounts have it. */
export function outdatedHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  return ['scrypt', 32_768, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}
