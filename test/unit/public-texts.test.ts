import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { openApiDocument } from '../../api/docs/openapi.ts';
import { operations } from '../../api/routes/index.ts';
import type { limits } from '../../infra/contract/limits.ts';

vi.mock('../../infra/contract/prices.ts', async (original) => ({
  ...(await original<object>()),
  prices: { createFee: 11_000_000n, hostingMonth: 12_000_000n, window: 13_000n, newAccountCredit: 14_000_000n },
}));
vi.mock('../../infra/contract/limits.ts', async (original) => {
  const real = await original<{ limits: object }>();
  const changed = {
    numbersPerRequest: 5_111_111,
    bodyBytes: 71 * 1024 * 1024,
    minClasses: 72,
    minTrialsPerClass: 73,
    nearestSiteMillimetres: 74,
    rateWindowSeconds: 75,
    collectingDays: 76,
    hostingDays: 77,
    testModelDays: 78,
    idempotencyKeyDays: 79,
  };
  return { ...real, limits: { ...real.limits, ...changed } };
});

const text = JSON.stringify(openApiDocument(operations));

it.each([
  'hosts it: 11.00 USD once and 12.00 USD for each 77 days of hosting',
  'to a collecting model, 0.013 USD per',
  'in the order sent; 0.013 USD per',
  'within 76 days of the creation',
  'deleted after 78 days',
  'billed once, for 79 days',
  'per 75-second window',
  'nearest electrode within 74 mm',
  'More than 5,111,111 numbers as sent or after resampling, or a body over 71 MiB.',
  'Fewer than 72 classes, or fewer than 73 trials in a class.',
])('the interface description follows the tables of prices and limits: %s', (words) => {
  expect(text.includes(words)).toBe(true);
});

it('the admission function counts requests in windows of the length that the texts name', async () => {
  const { limits: real } = await vi.importActual<{ limits: typeof limits }>('../../infra/contract/limits.ts');
  const url = new URL('../../infra/drivers/postgres/migrations/0010_admission.sql', import.meta.url);
  const lengths = [...readFileSync(url, 'utf8').matchAll(/window_start \+ interval '(\d+) seconds'/g)].map(
    ([, n]) => +n,
  );
  expect(lengths.length).toBeGreaterThan(0);
  expect(new Set(lengths)).toEqual(new Set([real.rateWindowSeconds]));
});
