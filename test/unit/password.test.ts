import { expect, it } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { hashPassword, isOutdated, passwordFault, verifyPassword } from '../../infra/records/accounts/password.ts';
import { outdatedHash } from '../support/password-hash.ts';

it('a hash is argon2id as a PHC string with its cost, different each time, and matches one password', async () => {
  const hash = await hashPassword('correct horse');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await hashPassword('correct horse')).not.toBe(hash);
  expect(await Promise.all(['correct horse', 'correct hors', ''].map((each) => verifyPassword(each, hash)))).toEqual([
    true,
    false,
    false,
  ]);
});

it('a hash of another cost or kind is replaced at the next sign-in', async () => {
  const made = await hashPassword('correct horse');
  const cheaper = made.replace('t=2', 't=1');
  expect([made, cheaper, outdatedHash('x')].map(isOutdated)).toEqual([false, true, true]);
  expect(await verifyPassword('correct horse', cheaper)).toBe(false);
  expect(await verifyPassword('correct horse', outdatedHash('correct horse'))).toBe(true);
});

it('composed and decomposed letters are the same password', async () => {
  const hash = await hashPassword('pässwörter');
  expect(await verifyPassword('pässwörter'.normalize('NFD'), hash)).toBe(true);
});

it('a missing or invalid hash never matches', async () => {
  for (const stored of [null, '', 'nonsense', '$argon2id$v=19$m=19456,t=2,p=1$AAAA'])
    expect(await verifyPassword('\0'.repeat(32), stored)).toBe(false);
});

it('passwords are 8 to 1000 characters, as a reader counts them, and not the e-mail address', () => {
  expect(passwordFault('1234567', '')).toMatch(/7 characters; at least 8/);
  expect(passwordFault('😀'.repeat(7), '')).toMatch(/7 characters/);
  expect(passwordFault('😀'.repeat(8), '')).toBeNull();
  expect(passwordFault('x'.repeat(1_001), '')).toMatch(/1001 characters; at most 1000/);
  expect(passwordFault(' ADA@example.org', 'ada@example.org ')).toMatch(/e-mail address/);
});

it.each(['password', 'PASSWORD', ' Password1 ', 'ｐassword', '12345678', 'qwertyuiop', 'trustno1'])(
  'a common password is refused, whatever its case: %s',
  async (password) => {
    expect(passwordFault(password, 'ada@example.org')).toMatch(/most common ones.*four or more words/);
    await expect(hashPassword(password)).rejects.toThrow(/most common/);
  },
);

it('the name of the e-mail address is refused, and uncommon passwords are accepted', () => {
  expect(passwordFault('Ada.Lovelace', 'ada.lovelace@example.org')).toMatch(/e-mail address or its name/);
  for (const password of ['correct horse', 'long enough', 'a long one', 'ada.lovelace 1843'])
    expect(passwordFault(password, 'ada.lovelace@example.org')).toBeNull();
});

const cheap = '$argon2id$v=19$m=8,t=1,p=1$c2l4dGVlbl9vZl9zYWx0Xw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

it('when 64 passwords wait to be hashed, further ones are refused, and the others are hashed in turn', async () => {
  const all = await Promise.allSettled(Array.from({ length: 70 }, () => verifyPassword('some password', cheap)));
  const refused = all.filter((each) => each.status === 'rejected');
  expect(refused).toHaveLength(70 - 66);
  expect(refused[0]!.reason).toBeInstanceOf(ApiError);
  expect((refused[0]!.reason as ApiError).code).toBe('POOL_SATURATED');
});

it('one network takes at most half of the places, and another one finds room', async () => {
  const check = (whose: string): Promise<boolean> => verifyPassword('some password', cheap, whose);
  const all = await Promise.allSettled(Array.from({ length: 70 }, () => check('one')).concat(check('another')));
  expect(all.filter((each) => each.status === 'fulfilled')).toHaveLength(2 + 32 + 1);
  expect(all.at(-1)!.status).toBe('fulfilled');
});
