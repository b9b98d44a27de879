import { expect, test } from 'vitest';
import { createStormGuard } from '../../infra/observe/storm.ts';

test('an outage writes five faults of a kind in ten seconds, then says how many it left out', () => {
  let now = 0;
  const lines: string[] = [];
  const log = { warn: (line: string) => void lines.push(line) };
  const storm = createStormGuard(() => now);
  const admitted = Array.from({ length: 3_000 }, () => storm.admits('BACKEND_FAILURE', log)).filter(Boolean).length;
  expect(admitted).toBe(5);
  expect(storm.admits('INTERNAL', log)).toBe(true);
  now = 10_000;
  expect(storm.admits('BACKEND_FAILURE', log)).toBe(true);
  expect(lines).toEqual(['2995 further faults BACKEND_FAILURE within 10 s were not written; metrics count all.']);
});
