import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findingWords } from '../../clients/dashboard/models/create/finding-words.ts';
import { warningSentence } from '../../ml/warning-sentences.ts';
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
  const unknown = findingWords({ check: 'unknown', message: '', remove: null }).words;
  for (const check of names) {
    const text = findingWords({ check, message: '', remove: null }).words;
    expect(text, check).not.toBe(unknown);
    expect(text, check).not.toMatch(/`|_|\bx\b/);
  }
});

it('it names the electrodes to untick, and how many trials it is about', () => {
  expect(findingWords({ check: 'flat_channels', message: '', remove: { channels: ['C3', 'Pz'], trials: [] } })).toEqual(
    {
      words: 'Some electrodes carry no signal. Untick C3, Pz above.',
      severity: 'mend',
    },
  );
  const { words } = findingWords({ check: 'flat_trials', message: '', remove: { channels: [], trials: [1, 2] } });
  expect(words).toContain('2 trials');
});

it('it names the reason why no trials can be held out, in the words of the report', () => {
  const blocks = { blocks: 2, counts: 'left 1, right 1', runs: 12, lowest: '' };
  const messages = {
    order: warningSentence('class_in_one_block', blocks),
    blocks: warningSentence('blocks_held_out', blocks),
    hidden: warningSentence('hidden_sessions', { places: '13', parts: 2, shares: 'left 0.1 and 0.9' }),
    overlap: warningSentence('nothing_to_hold_out', { groups: 'left 1, right 1' }),
  };
  const said = Object.values(messages).map((message) => findingWords({ check: 'label_order', message, remove: null }));
  expect(said.map(({ words }) => words.slice(0, 48))).toEqual([
    'The classes were recorded in 2 blocks (left 1, r',
    'The classes were recorded in 2 blocks (left 1, r',
    'The recording seems to consist of 2 parts (it ch',
    'Nearly all trials of a class overlap or are copi',
  ]);
  expect(said.map(({ severity }) => severity)).toEqual(['doubt', 'note', 'doubt', 'doubt']);
  const small = warningSentence('small_sessions', { count: 1, sessions: 4, least: 8, names: '' });
  expect(findingWords({ check: 'held_out_sessions', message: small, remove: null }).words).toBe(
    '1 of 4 recordings hold fewer than 8 trials. They are held out together.',
  );
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

  it('the numbers of one batch are not shown as those of all', () => {
    const message = warningSentence('small_sessions', { count: 1, sessions: 4, least: 8, names: '' });
    const sessions = { findings: [{ ...found('held_out_sessions'), message }] };
    const all = findingsOfAll([sessions, sessions], { trialsPerClass: { a: 40, b: 40 }, isBlocked: false });
    expect(all.map(findingWords).map(({ words }) => words)).toEqual([expect.not.stringMatching(/[0-9]/)]);
  });

  it('numbers and order of trials are judged over all batches', () => {
    const checks = (trialsPerClass: Record<string, number>, isBlocked: boolean): string[] =>
      findingsOfAll([first, second], { trialsPerClass, isBlocked }).map(({ check }) => check);
    expect(checks({ a: 19, b: 40 }, false)).toContain('few_trials');
    expect(checks({ a: 20, b: 40 }, false)).not.toContain('few_trials');
    expect(checks({ a: 20, b: 40 }, true)).toContain('label_order');
  });
});
