import { createHash } from 'node:crypto';
import { assert as always, bigInt, constantFrom, integer, pre, property } from 'fast-check';
import { expect, test } from 'vitest';
import { formatUsd, parseUsd } from '../../infra/contract/prices.ts';
import { generateKey, parseKey } from '../../infra/records/accounts/key-format.ts';
import { hashPassword, verifyPassword } from '../../infra/records/accounts/password.ts';
import { secondsUntilNext } from '../../infra/contract/utc-periods.ts';
import { hostingMonth } from '../../infra/records/ledger/charges.ts';
import { runs, seed } from '../support/counts.ts';

test('a key has the prefix of its mode, 16 id characters, an underscore and 48 secret characters', () => {
  expect(generateKey('live').key).toMatch(/^eeg_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{48}$/);
  expect(generateKey('test').key).toMatch(/^eeg_test_[0-9A-Za-z]{16}_[0-9A-Za-z]{48}$/);
});

test('a key reads back as its mode, id and the hash of its secret', () => {
  for (const mode of ['live', 'test'] as const) {
    const made = generateKey(mode);
    expect(parseKey(made.key)).toEqual({
      mode,
      keyId: made.keyId,
      hash: createHash('sha256').update(made.key.slice(-48)).digest(),
    });
  }
});

test('a key with one character changed, two swapped, or the mode of another key is refused by its checksum', () => {
  const { key } = generateKey('live');
  always(
    property(integer({ min: 9, max: key.length - 1 }), constantFrom('a', 'b', 'X', 'Z', '0', '9'), (place, letter) => {
      pre(key[place] !== letter);
      expect(parseKey(key.slice(0, place) + letter + key.slice(place + 1))).toBeNull();
    }),
    { numRuns: runs(100, 20_000), seed: seed() },
  );
  expect(parseKey(key.replace('live', 'test'))).toBeNull();
  expect(parseKey(`${key} `)).toBeNull();
  expect(parseKey('')).toBeNull();
});

test('a password verifies against its own hash only', async () => {
  const stored = await hashPassword('correct horse');
  expect(stored).not.toContain('horse');
  expect(await verifyPassword('correct horse', stored)).toBe(true);
  expect(await verifyPassword('correct hors', stored)).toBe(false);
  expect(await verifyPassword('correct horse', 'nonsense')).toBe(false);
});

test('amounts survive formatting and parsing to the micro-dollar', () => {
  always(
    property(bigInt({ min: -1_000_000_000_000_000n, max: 1_000_000_000_000_000n }), (amount) => {
      expect(parseUsd(formatUsd(amount))).toBe(amount);
    }),
    { numRuns: runs(100, 20_000), seed: seed() },
  );
});

test('hosting months are 30 days long and leave no gap', () => {
  const fittedAt = new Date('2026-01-31T23:59:59.123Z');
  for (let period = 1; period <= 13; period += 1) {
    const { startsAt, endsAt } = hostingMonth(fittedAt, period);
    expect(endsAt.getTime() - startsAt.getTime()).toBe(30 * 86_400_000);
    expect(hostingMonth(fittedAt, period + 1).startsAt).toEqual(endsAt);
  }
  expect(hostingMonth(fittedAt, 1).startsAt).toEqual(fittedAt);
});

test('caps reset at the next UTC midnight or first of the month', () => {
  const at = new Date('2026-12-31T23:59:30.500Z');
  expect(secondsUntilNext('day', at)).toBe(30);
  expect(secondsUntilNext('month', at)).toBe(30);
  expect(secondsUntilNext('month', new Date('2026-02-01T00:00:00Z'))).toBe(28 * 86_400);
});
