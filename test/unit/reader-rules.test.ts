import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import rules from '../../infra/recordings/reader-rules.json' with { type: 'json' };
import { canonicalName } from '../../ml/channels/index.ts';

const text = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the Python client reads recordings by the same rules, byte for byte', () => {
  expect(text('clients/python/src/eeg_task_classifier/io/reader_rules.json')).toBe(
    text('infra/recordings/reader-rules.json'),
  );
});

it('every position of a cap has its own electrode of the 10-05 system', () => {
  for (const [cap, sites] of Object.entries(rules.capMaps)) {
    const names = Object.values(sites);
    expect(names, cap).toHaveLength(Number(cap.replace(/\D/g, '')));
    expect(new Set(names).size, cap).toBe(names.length);
    expect(names.map(canonicalName), cap).toEqual(names);
  }
});

it('texts that are compared without case are written in lower case', () => {
  const lower = [
    ...Object.keys(rules.unitsToMicrovolts),
    ...Object.keys(rules.unitGuesses),
    ...Object.keys(rules.stagePattern),
    ...rules.notEvents,
    ...rules.notEventsExact,
    rules.badPrefix,
  ];
  expect(lower).toEqual(lower.map((each) => each.toLowerCase()));
});
