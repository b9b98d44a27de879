import { expect, it } from 'vitest';
import { endingSoon, isLow } from '../../clients/dashboard/pages/overview/notices.tsx';

const day = 24 * 3600;
const model = (id: string, change: object = {}) =>
  ({ id, test: false, status: 'active', expires_at: null, test_ends_at: null, ...change }) as unknown as Parameters<
    typeof endingSoon
  >[0][number];

it('models that end within three days are named, the first one first, by the earlier of two dates', () => {
  const models = [
    model('never'),
    model('later', { expires_at: 10 * day }),
    model('third', { expires_at: 2.5 * day }),
    model('first', { test: true, expires_at: 20 * day, test_ends_at: 1 * day }),
  ];
  expect(endingSoon(models, 0).map(({ id }) => id)).toEqual(['first', 'third']);
});

it('credit is low if it pays less than the next month of every live model', () => {
  const models = [model('a'), model('b'), model('c', { test: true }), model('d', { status: 'collecting' })];
  expect(isLow(models, '1.99')).toBe(true);
  expect(isLow(models, '2.00')).toBe(false);
  expect(isLow([model('c', { test: true })], '0.00')).toBe(false);
});
