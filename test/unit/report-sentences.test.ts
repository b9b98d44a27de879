import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Report } from '../../clients/dashboard/charts/report-type.ts';
import {
  choiceWords,
  expectedWords,
  forecastWords,
  heldOutWords,
} from '../../clients/dashboard/charts/report-sentences.ts';
import { reportWords } from '../../clients/dashboard/models/report-words.ts';

const report: Report = JSON.parse(
  readFileSync(new URL('../../infra/recordings/sample/model.json', import.meta.url), 'utf8'),
).training_report;

it('the details of a report repeat no sentence of the interface', () => {
  const said = reportWords(report)
    .map(({ meaning }) => meaning)
    .join('\n');
  const ofInterface = [
    report.choice,
    report.corrected!.explanation,
    report.forecast!.text,
    report.validation.description,
  ];
  for (const sentence of ofInterface) expect(said).not.toContain(sentence);
  expect(said).not.toMatch(/`|log-loss \(|bootstrap|undefined|NaN/);
});

it('the sentences contain the numbers of the report', () => {
  expect(heldOutWords(report)).toBe(
    'Whole recordings were held out in turn, in 2 groups, so the score is for a new recording.',
  );
  expect(choiceWords(report)).toMatch(/among 24 methods/);
  expect(expectedWords(report)).toMatch(
    /78 to 100\u00A0%.* 400 random draws .* used 6 trials per class\. Your model uses 12,/,
  );
  expect(forecastWords(report)).toBe(
    'The test learned from up to 6 trials per class. With 12, about 96\u00A0% is expected (95\u00A0% interval 69 to 100\u00A0%). More ' +
      'trials of the same kind are not expected to add 3 percentage points.',
  );
  expect(forecastWords({ ...report, forecast: { ...report.forecast!, more_trials_per_class: 9.2 } })).toMatch(
    /With 16, the score is expected to be 3 percentage points higher than with 6\.$/,
  );
});

it('a report without forecast, correction or choice says so', () => {
  const bare: Report = { ...report, forecast: null, corrected: null, methods: report.methods.slice(0, 1) };
  expect(forecastWords(bare)).toBe('It does not show what more trials would bring.');
  expect(expectedWords(bare)).toBe('It cannot be given; the points to check say why.');
  expect(choiceWords(bare)).toBe('It is the only method that was scored.');
  const repeated = {
    ...report,
    validation: { ...report.validation, kind: 'stratified', folds: 5, repeats: 3 },
  } as const;
  expect(heldOutWords(repeated)).toMatch(/5 parts.* repeated 3 times/);
});
