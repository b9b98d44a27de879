import { argon2Sync, randomBytes } from 'node:crypto';
import { hashPassword } from '../../infra/records/accounts/password.ts';

let made: Promise<string> | undefined;

/** The hash of a password, made once for all accounts of a process: making one takes a tenth of a second. */
export const passwordHash = (): Promise<string> => (made ??= hashPassword('long enough'));

/** A hash at a lower cost than the service's. */
export function outdatedHash(password: string): string {
  const nonce = randomBytes(16);
  const cost = { memory: 4_096, passes: 1, parallelism: 1 };
  const hash = argon2Sync('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce,
    ...cost,
    tagLength: 32,
  });
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=4096,t=1,p=1$${base64(nonce)}$${base64(hash)}`;
}
