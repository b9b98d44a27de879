import { expect, it } from 'vitest';
import { arranged } from '../../clients/dashboard/models/arrange.ts';
import { comparisonOf } from '../../clients/dashboard/models/compare.tsx';
import type { TaskModelAnswer, TaskModelRowAnswer } from '../../clients/dashboard/models/response-types.ts';

const report = (score: number, low: number, high: number) => ({
  balanced_accuracy: 0.9,
  chance: 0.5,
  corrected: { balanced_accuracy: score, interval_95: [low, high] },
});
const row = (name: string, created: number, score?: number) =>
  ({
    id: `clf_${name}`,
    name,
    description: 'motor imagery',
    classes: ['left', 'right'],
    created,
    ...(score === undefined ? {} : { training_report: report(score, score - 0.1, score + 0.1) }),
  }) as unknown as TaskModelRowAnswer & TaskModelAnswer;

const models = [row('Beta', 1, 0.75), row('alpha', 3), row('Gamma', 2, 0.9)];
const names = (search: string, order: 'newest' | 'name' | 'score') =>
  arranged(models, { search, order }).map(({ name }) => name);

it('models are sorted by time, name or the score to expect, and found by every word of a search', () => {
  expect(names('', 'newest')).toEqual(['alpha', 'Gamma', 'Beta']);
  expect(names('', 'name')).toEqual(['alpha', 'Beta', 'Gamma']);
  expect(names('', 'score')).toEqual(['Gamma', 'Beta', 'alpha']);
  expect(names(' IMAGERY  gam ', 'newest')).toEqual(['Gamma']);
  expect(names('left feet', 'newest')).toEqual([]);
});

it('two models are compared by the score to expect, and only if their intervals do not overlap', () => {
  const other = row('Delta', 4, 0.5);
  expect(comparisonOf(models[2], models[0])).toBe(
    'The scores differ by 15 percentage points. The difference may be chance: the intervals of the two scores overlap. ' +
      'More trials would tell.',
  );
  expect(comparisonOf(models[2], row('Epsilon', 5, 0.9))).toBe('The two scores are equal.');
  expect(comparisonOf(models[2], other)).toBe(
    'Gamma is better by 40 percentage points, and the intervals do not overlap.',
  );
  expect(comparisonOf({ ...models[2], name: 'Delta' }, other)).toMatch(/^The first model is better/);
  expect(comparisonOf(models[2], { ...other, classes: ['up', 'down'] })).toContain('different classes');
  expect(comparisonOf(models[1], other)).toContain('without a report');
});
