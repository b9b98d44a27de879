import { expect, it } from 'vitest';
import { requestSentences } from '../../api/intake/request-sentences.ts';
import { sourceOf } from '../../api/docs/site.ts';
import { checksOfTrials } from '../../ml/checks/index.ts';
import { checksOfShape } from '../../ml/select/warnings.ts';
import { warningSentences } from '../../ml/warning-sentences.ts';

const rows = sourceOf('warnings')
  .split('\n')
  .filter((line) => /^\| (?!Warning|---)/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const sentences = Object.entries({ ...warningSentences, ...requestSentences }).map(([code, sentence]) => ({
  code,
  text: sentence.replaceAll(/\{\w+\}/g, '…'),
}));

/** Codes of the sentences that begin as the first cell of a row does. */
const codesOf = ([warning]: string[]): string[] =>
  sentences.filter(({ text }) => text.startsWith(warning!.replaceAll(/^_|_$/g, ''))).map(({ code }) => code);

it('each row names one warning, and each warning has one row', () => {
  expect(rows.map((row) => [row[0], codesOf(row).length]).filter(([, count]) => count !== 1)).toEqual([]);
  expect(rows.flatMap(codesOf).sort()).toEqual(sentences.map(({ code }) => code).sort());
  expect(rows.filter((row) => row.length !== 4 || !row[2] || !row[3])).toEqual([]);
});

it('each check of an estimate is named', () => {
  const named = new Set(rows.flatMap(([, check]) => check!.replaceAll('`', '') || []));
  const ofRequest = ['positions', 'label_form', 'label_spelling', 'expires_at'];
  expect([...named].sort()).toEqual([...new Set([...checksOfTrials, ...checksOfShape, ...ofRequest])].sort());
});
