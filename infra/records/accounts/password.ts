import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordCharacters } from '../../contract/limits.ts';
import { isCommonPassword, plainPassword } from './common-passwords.ts';
import { oneOfFew } from './few-at-once.ts';
import { AccountError } from './account-error.ts';

const argon = promisify(argon2);

/** Parameters of argon2id from OWASP's password storage cheat sheet: 19 MiB (`m`, in KiB), two passes, one lane. */
const cost = { m: 19_456, t: 2, p: 1 } as const;
const hashBytes = 32;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

const derive = (
  password: string,
  nonce: Buffer,
  { m, t, p }: Record<'m' | 't' | 'p', number>,
  whose: string | null,
): Promise<Buffer> =>
  oneOfFew(
    () =>
      argon('argon2id', {
        message: Buffer.from(password.normalize('NFKC')),
        nonce,
        memory: m,
        passes: t,
        parallelism: p,
        tagLength: hashBytes,
      }),
    whose,
  );

const instead = 'Use four or more words that only you put together, or let a password manager make one.';

/** Why a password is refused for the account of an address, as a sentence; null: it is accepted. */
export function passwordFault(password: string, email: string): string | null {
  const { length } = Array.from(password.normalize('NFKC'));
  if (length < passwordCharacters.min)
    return `The password has ${length} characters; at least ${passwordCharacters.min} are needed.`;
  if (length > passwordCharacters.max)
    return `The password has ${length} characters; at most ${passwordCharacters.max} are allowed.`;
  const address = plainPassword(email);
  if ([address, address.split('@')[0]].includes(plainPassword(password)))
    return `The password is the e-mail address or its name, which anybody may know. ${instead}`;
  if (isCommonPassword(password))
    return `The password is one of the most common ones, which attackers try first. ${instead}`;
  return null;
}

/**
 * Hashes a password with argon2id in the PHC string format (`$argon2id$v=19$m=…,t=…,p=…$salt$hash`), so that the cost
 * can be raised later without locking anyone out. AccountError if `passwordFault` finds a problem; ApiError
 * POOL_SATURATED if too many hashes run already, or half as many for the same `whose`.
 */
export async function hashPassword(password: string, email = '', whose: string | null = null): Promise<string> {
  const fault = passwordFault(password, email);
  if (fault !== null) throw new AccountError(fault);
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost, whose);
  return `$argon2id$v=19$${header(cost)}$${base64(salt)}$${base64(hash)}`;
}

const header = ({ m, t, p }: typeof cost): string => `m=${m},t=${t},p=${p}`;

/** Hash to compare with if there is no password, so that the answer takes the same time. */
const dummyHash = `$argon2id$v=19$${header(cost)}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(hashBytes))}`;

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;

/** Whether the password has the stored hash. A null hash (no password) takes the same time and returns false. */
export async function verifyPassword(
  password: string,
  stored: string | null,
  whose: string | null = null,
): Promise<boolean> {
  const [, m, t, p, salt, hash] = phc.exec(stored ?? dummyHash) ?? [];
  if (hash === undefined) return false;
  const actual = await derive(
    password,
    Buffer.from(salt!, 'base64'),
    { m: Number(m), t: Number(t), p: Number(p) },
    whose,
  );
  return timingSafeEqual(actual, Buffer.from(hash, 'base64')) && stored !== null;
}

/** Whether a stored hash has another cost than `hashPassword` uses now. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(`$argon2id$v=19$${header(cost)}$`);
