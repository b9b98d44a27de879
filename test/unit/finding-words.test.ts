import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findingWords } from '../../clients/dashboard/models/create/finding-words.ts';
import { findingsOfAll } from '../../clients/dashboard/models/create/findings-of-all.ts';
import type { FindingAnswer } from '../../clients/dashboard/models/response-types.ts';

const sourceOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Names of the entries of a table of checks. */
const namesIn = (table: string): string[] => [...table.matchAll(/^ {2}([a-z_]+)(?::|,$)/gm)].map((match) => match[1]);

it('the create page has its own words for every check of the interface', () => {
  const checks = sourceOf('ml/checks/index.ts');
  const advice = sourceOf('ml/select/warnings.ts');
  const names = new Set([
    ...namesIn(checks.slice(checks.indexOf('const prediction'), checks.indexOf('export function'))),
    ...namesIn(advice.slice(advice.indexOf('const checks'))),
    ...[
      ...`${sourceOf('api/intake/labels.ts')}${sourceOf('api/intake/intake.ts')}`.matchAll(/check: '([a-z_]+)'/g),
    ].map((match) => match[1]),
  ]);
  expect(names.size).toBeGreaterThanOrEqual(25);
  const unknown = findingWords({ check: 'unknown', remove: null }).words;
  for (const check of names) {
    const text = findingWords({ check, remove: null }).words;
    expect(text, check).not.toBe(unknown);
    expect(text, check).not.toMatch(/`|_|\bx\b/);
  }
});

it('it names the electrodes to untick, and how many trials it is about', () => {
  expect(findingWords({ check: 'flat_channels', remove: { channels: ['C3', 'Pz'], trials: [] } })).toEqual({
    words: 'Some electrodes carry no signal. Untick C3, Pz above.',
    severity: 'mend',
  });
  const { words } = findingWords({ check: 'flat_trials', remove: { channels: [], trials: [1, 2] } });
  expect(words).toContain('2 trials');
});

describe('warnings about trials in batches', () => {
  const found = (check: string, trials: number[] | null = null): FindingAnswer => ({
    check,
    message: '',
    change: null,
    remove: trials && { channels: [], trials },
  });
  const first = { findings: [found('few_trials'), found('line_noise')] };
  const second = { findings: [found('few_trials'), found('flat_trials', [3, 4])] };
  const third = { findings: [found('flat_trials', [1])] };

  it('a fault of a later batch is told, with its trials in all batches', () => {
    const all = findingsOfAll([first, second, third], { trialsPerClass: { a: 40, b: 40 }, isBlocked: false });
    expect(all.map(({ check, remove }) => [check, remove?.trials.length])).toEqual([
      ['line_noise', undefined],
      ['flat_trials', 3],
    ]);
  });

  it('numbers and order of trials are judged over all batches', () => {
    const checks = (trialsPerClass: Record<string, number>, isBlocked: boolean): string[] =>
      findingsOfAll([first, second], { trialsPerClass, isBlocked }).map(({ check }) => check);
    expect(checks({ a: 19, b: 40 }, false)).toContain('few_trials');
    expect(checks({ a: 20, b: 40 }, false)).not.toContain('few_trials');
    expect(checks({ a: 20, b: 40 }, true)).toContain('label_order');
  });
});
