import { expect, it } from 'vitest';
import { goalsFor } from '../../clients/dashboard/goals.ts';

const goals = [
  { path: '/a', words: 'Billing', kind: 'Page' },
  { path: '/b', words: 'Left or right hand', kind: 'Test model' },
  { path: '/c', words: 'Hand, second day', kind: 'Model' },
];
const found = (search: string) => goalsFor(goals, search).map(({ path }) => path);

it('a goal is found by any of its words, in any order, whatever their case', () => {
  expect(found('')).toEqual(['/a', '/b', '/c']);
  expect(found('HAND model')).toEqual(['/b', '/c']);
  expect(found('day hand')).toEqual(['/c']);
  expect(found('sleep')).toEqual([]);
});

it('a long list is cut', () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ path: `/${i}`, words: 'Model', kind: 'Model' }));
  expect(goalsFor(many, '')).toHaveLength(12);
});
