import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Report } from '../../clients/dashboard/charts/report-type.ts';
import {
  choiceWords,
  expectedWords,
  forecastWords,
  heldOutWords,
} from '../../clients/dashboard/charts/report-sentences.ts';
import { methodsSection } from '../../clients/dashboard/charts/methods-section.ts';
import { choiceSentence } from '../../ml/choice-sentences.ts';
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

it('the method section has what a methods paragraph needs', () => {
  const shape = { electrodes: 10, rateHz: 160, seconds: 4 };
  const parts = Object.fromEntries(methodsSection(report, shape).map(({ heading, words }) => [heading, words]));
  expect(parts['Data']).toBe(
    '24 trials (both feet: 12, both fists: 12) of 4 s on 10 electrodes, sampled at 160 Hz, resampled to 256 Hz.',
  );
  const scored = report.methods.filter(({ status }) => status === 'scored');
  for (const { title } of scored) expect(parts['Compared methods']).toContain(`${title} (v`);
  expect(parts['Compared methods']).toMatch(
    / Their ensemble was scored too: Pool of the best methods \(v1\)\. 4 other methods were dropped after the first fold, because their log-loss .* 33 other methods were not tried; the scores by method give the reasons\.$/,
  );
  expect(parts['Scoring']).toContain(heldOutWords(report));
  expect(parts['Chosen method']).toMatch(/^Pool of the best methods \(v1\)\. .*of 23 methods.*weight 60/);
  for (const { title, version } of report.pool!) expect(parts['Chosen method']).toContain(`${title} (v${version})`);
  expect(parts['Result']).toMatch(/^100.*p = 0\.005, from 999 random orders.*Expected on new trials: 96/);
  expect(parts['Repetition']).toContain('fixed seeds');
});

it('the reason of a choice counts the methods without the pool and says whether the trials decided', () => {
  const because = (...sentences: string[]): string => choiceWords({ ...report, choice: sentences.join(' ') });
  const single = { title: 'CSP (LDA)', loss: '0.300', candidates: 23 };
  const other = { ...single, best: 'Riemannian mean (MDM)', least: '0.290', favoured: 'CSP (LDA)' };
  const pool = { members: 5, weight: 60, loss: '0.310' };
  const lowest = 'CSP (LDA) has the lowest calibrated log-loss of 23 methods on held-out trials.';
  const notHigher =
    'The calibrated log-loss of CSP (LDA) is not clearly higher than the lowest of 23 methods on held-out trials.';
  const ensemble = 'The pool, an ensemble of 5 methods, was chosen';
  expect(because(choiceSentence('lowest_loss', single))).toBe(lowest);
  expect(because(choiceSentence('other_people', other))).toBe(`${notHigher} Results on other people decided.`);
  expect(because(choiceSentence('published', other))).toBe(`${notHigher} Published results decided.`);
  expect(because(choiceSentence('lowest_loss', single), choiceSentence('pool_lower', pool))).toBe(
    `${lowest} ${ensemble}, because its log-loss is lower.`,
  );
  expect(because(choiceSentence('published', other), choiceSentence('pool_not_higher', pool))).toBe(
    `${notHigher} Published results decided. ${ensemble}: its log-loss is not clearly higher, and an ensemble seldom does ` +
      'worse on new trials.',
  );
  expect(choiceWords(report)).toBe(
    'Average of tangent space, augmented, filter-bank and geodesic filtering has the lowest calibrated log-loss of 23 ' +
      'methods on held-out trials. The pool, an ensemble of 5 methods, was chosen, because its log-loss is lower.',
  );
});

it('one method without a score is named in the singular', () => {
  const isOne = ({ id, status }: Report['methods'][number]): boolean =>
    status === 'scored' || id === 'log-power-logistic' || id === 'cca-lda';
  const shape = { electrodes: 10, rateHz: 160, seconds: 4 };
  const parts = methodsSection({ ...report, methods: report.methods.filter(isOne) }, shape);
  expect(parts.find(({ heading }) => heading === 'Compared methods')!.words).toMatch(
    / 1 other method was dropped after the first fold, because its log-loss was too far behind that of the best method\. 1 other method was not tried; the scores by method give the reason\.$/,
  );
});

it('the method section of a model without trials names other people, and no comparison', () => {
  const reference = { people: 59 } as NonNullable<Report['reference']>;
  const validation = { ...report.validation, kind: 'people' } as const;
  const shape = { electrodes: 3, rateHz: 256, seconds: 2 };
  const parts = methodsSection({ ...report, reference, validation, methods: [], pool: null, corrected: null }, shape);
  expect(parts.map(({ heading }) => heading)).toEqual(['Data', 'Scoring', 'Chosen method', 'Result', 'Repetition']);
  expect(parts[0]!.words).toBe('Recordings of 59 other people, as trials of 2 s on 3 electrodes, sampled at 256 Hz.');
  expect(parts.map(({ words }) => words).join(' ')).not.toMatch(/undefined|NaN|fitted again/);
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
