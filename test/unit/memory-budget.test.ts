import { expect, it } from 'vitest';
import { MemoryBudget } from '../../api/http/memory-budget.ts';

const takes = (budget: MemoryBudget, account: string, bytes: number): boolean => {
  try {
    budget.reserve(account).resize(bytes);
    return true;
  } catch {
    return false;
  }
};

/** Bodies of 10 bytes that the account gets in. */
function fill(budget: MemoryBudget, account: string): number {
  let bodies = 0;
  while (takes(budget, account, 10)) bodies++;
  return bodies;
}

it('lets one account use half of the memory for bodies, and leaves the other half to others', () => {
  const budget = new MemoryBudget(160, 'request bodies');
  expect(fill(budget, 'a')).toBe(8);
  expect(fill(budget, 'b')).toBe(4);
  expect(fill(budget, 'c')).toBe(2);
  expect(takes(budget, 'd', 20)).toBe(true);
  expect(takes(budget, 'e', 1)).toBe(false);
});

it('frees the memory of a request, completely or in part', () => {
  const budget = new MemoryBudget(160, 'request bodies');
  const hold = budget.reserve('a');
  hold.resize(70);
  expect(takes(budget, 'a', 20)).toBe(false);
  hold.resize(10);
  expect(takes(budget, 'a', 20)).toBe(true);
  hold.resize(0);
  expect(fill(budget, 'a')).toBe(6);
});

it('reports the used memory in numbers', () => {
  const budget = new MemoryBudget(64 * 1024 * 1024, 'request bodies');
  budget.reserve('a').resize(32 * 1024 * 1024);
  expect(() => budget.reserve('a').resize(1)).toThrow(
    /holds 32\.0 MiB of request bodies, 32\.0 MiB of them the account's/,
  );
});
