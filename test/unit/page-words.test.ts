import { describe, expect, it } from 'vitest';
import { requestSentences } from '../../api/intake/request-sentences.ts';
import { reasonRows, reasonWords, unscoredWords } from '../../clients/dashboard/charts/reason-words.ts';
import { doubtsIn } from '../../clients/dashboard/models/doubts.ts';
import { warningRows, warningWords } from '../../clients/dashboard/models/warning-words.ts';
import { checkTrials } from '../../ml/checks/index.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { reasonSentences } from '../../ml/reason-sentences.ts';
import { select } from '../../ml/select/index.ts';
import { readerOf, wholeReaderOf } from '../../ml/sentences.ts';
import type { DatasetShape } from '../../ml/types.ts';
import { warningSentences } from '../../ml/warning-sentences.ts';

/** Words of the API and of its readers, which a page does not use. */
const ofTheApi = /`|_|\{|\bx\b|\bsessions?\b|\balign\b|\bIdempotency\b|\d{4}-\d\d-\d\dT|undefined|NaN/;
const sentences = { ...warningSentences, ...requestSentences };
const unknown = warningWords('A sentence that the service does not have.').words;

/** A sentence with its holes filled by their places. */
const filled = (sentence: string): string => {
  let at = 0;
  return sentence.replaceAll(/\{\w+\}/g, () => String((at += 1)));
};

describe('warnings in the pages', () => {
  const read = readerOf(sentences);

  it.each(Object.entries(sentences))('the page has its own words for %s', (code, sentence) => {
    const text = filled(sentence);
    expect(read(text).map((each) => each.code)).toEqual([code]);
    const { words } = warningWords(text);
    expect(words).not.toMatch(ofTheApi);
    expect(words).not.toBe(text);
    const { say } = warningRows[code as keyof typeof warningRows];
    expect(words === unknown).toBe(say === '');
  });

  it('a sentence without words of its own follows one that has them', () => {
    const { words } = warningWords(
      `${filled(warningSentences.units)} ${filled(warningSentences.other_unit)} ${filled(warningSentences.few_trials)}`,
    );
    expect(words).toContain('The unit is probably wrong.');
    expect(words).toContain('The score is uncertain.');
  });

  it('says numbers and names of the warning, and the page that helps', () => {
    const text = warningSentences.flat_channels.replace('{channels}', 'T7, T8');
    expect(warningWords(`${text} ${warningSentences.flat_channels_fit}`)).toEqual({
      words: 'These electrodes carry no signal: T7, T8. The model ignores them.',
      severity: 'mend',
      help: { href: '/dashboard/create', words: 'Create the model again with other electrodes' },
    });
  });

  it('says whole percentages of a control beside those of the model', () => {
    const text = warningSentences.control_eyes.replace('{score}', '88.3 %').replace('{total}', '91.7 %');
    expect(warningWords(filled(text)).words).toBe(
      'Eye movements alone give 88\u00A0%; the model gives 92\u00A0%. The model may read the eyes, not the brain.',
    );
  });

  it('of several sentences the most serious one decides how much a warning matters', () => {
    const severityOfAll = (...codes: (keyof typeof warningSentences)[]): string =>
      warningWords(codes.map((code) => filled(warningSentences[code])).join(' ')).severity;
    expect(severityOfAll('line_noise')).toBe('note');
    expect(severityOfAll('overlap')).toBe('note');
    expect(severityOfAll('overlap', 'nothing_to_hold_out')).toBe('doubt');
    expect(severityOfAll('line_noise', 'few_trials')).toBe('mend');
    expect(severityOfAll('few_trials', 'class_in_one_block', 'rank')).toBe('doubt');
  });

  it('counts the different points that put the score in doubt', () => {
    const texts = (['line_noise', 'few_trials', 'class_in_one_block', 'units'] as const).map((code) =>
      filled(warningSentences[code]),
    );
    expect(doubtsIn(texts)).toBe(2);
    expect(doubtsIn([...texts, texts[2]])).toBe(2);
    expect(doubtsIn(texts.slice(0, 2))).toBe(0);
  });

  it('a text that is none of the service is not repeated', () => {
    expect(unknown).toBe('The service reports a point that this page does not know. Load the page again to read it.');
    expect(warningWords('`x` holds 3 rows. Send `sessions`.').words).toBe(unknown);
  });

  it('the checks of bad trials and the plan of their folds say nothing that a page cannot read', () => {
    const form = { trials: 24, channels: 5, samples: 256, rateHz: 90, sourceRateHz: 90 };
    const data = Float32Array.from({ length: form.trials * form.channels * form.samples }, (_, i) => {
      const [channel, trial] = [
        Math.floor(i / form.samples) % form.channels,
        Math.floor(i / form.samples / form.channels),
      ];
      if (channel === 4 || trial === 3) return 0;
      const noise = Math.sin(i * 12.9898 * (1 + (channel === 1 ? 0 : channel))) * 1e5;
      return (channel === 2 ? 900_000 : 0) + 4_000 * (trial === 7 ? 80 : 1) * (noise - Math.floor(noise) - 0.5);
    });
    const labels = Array.from({ length: form.trials }, (_, i) => (i < 12 ? 'left' : 'right'));
    const channelNames = ['C3', 'C4', 'Cz', 'Pz', 'Oz'];
    const found = [null, labels.map((_, i) => `part ${Math.floor(i / 12)}`)].flatMap((sessions) => {
      const checked = { trials: { ...form, data, channelNames }, units: 'uV' as const, labels, whole: true };
      return checkTrials({ ...checked, sessions });
    });
    expect(new Set(found.map(({ check }) => check)).size).toBeGreaterThanOrEqual(6);
    const named = (sizes: readonly number[], classes: (session: number, i: number) => number) => ({
      labels: Int32Array.from(sizes.flatMap((size, s) => Array.from({ length: size }, (_, i) => classes(s, i)))),
      classes: ['left', 'right'],
      sessions: Int32Array.from(sizes.flatMap((size, s) => Array<number>(size).fill(s))),
      sessionNames: sizes.map((_, s) => `run ${s + 1}`),
    });
    const plans = [
      named([20, 20, 2], (_, i) => i % 2),
      named([20, 20], (s) => s),
      named([20, 20, 20], (s, i) => (s === 0 ? 0 : i % 2)),
      named([30, 30], (_, i) => Math.floor(i / 10) % 2),
    ].flatMap((each) => foldPlan(each, 4).warnings);
    expect(plans.length).toBeGreaterThanOrEqual(4);
    for (const text of [...found.map(({ message }) => message), ...plans]) {
      expect(
        read(text).map(({ code }) => code),
        text,
      ).not.toContain(null);
      expect(warningWords(text).words, text).not.toMatch(ofTheApi);
    }
  });
});

describe('reasons why methods have no score', () => {
  const read = wholeReaderOf(reasonSentences);

  it.each(Object.entries(reasonSentences))('the page has its own words for %s', (code, sentence) => {
    expect(read(filled(sentence)).code).toBe(code);
    expect(reasonWords(filled(sentence))).toBe(
      reasonRows[code as keyof typeof reasonRows](read(filled(sentence)).values),
    );
    expect(reasonWords(filled(sentence))).not.toMatch(ofTheApi);
  });

  it('every reason of the methods is read, whatever the trials are', () => {
    const shape: DatasetShape = {
      kind: 'motor',
      channelNames: ['C3', 'Cz', 'C4'],
      sourceRateHz: 250,
      samples: 1024,
      seconds: 4,
      trials: 40,
      classes: ['left', 'right'],
      trialsPerClass: [20, 20],
      sessions: 1,
      storedFeaturesOnly: false,
      missingChannels: 'nearest',
    };
    const shapes = (['motor', 'erp', 'sleep', 'other'] as const).flatMap((kind): DatasetShape[] => [
      { ...shape, kind },
      { ...shape, kind, channelNames: ['Cz'], sourceRateHz: 20 },
      { ...shape, kind, seconds: 0.05, samples: 13 },
      { ...shape, kind, seconds: 120, samples: 30_720, missingChannels: 'reject' },
      { ...shape, kind, trials: 9_000, trialsPerClass: [4_500, 4_500], frequenciesHz: [8, 13] },
      { ...shape, kind, channelNames: Array.from({ length: 80 }, (_, i) => `E${i + 1}`) },
    ]);
    const reasons = new Set(
      shapes.flatMap((each) => [...select(each).skipped, ...select(each, []).skipped].map(({ reason }) => reason)),
    );
    const codes = new Set(Array.from(reasons, (reason) => read(reason).code));
    expect(codes.size).toBeGreaterThanOrEqual(12);
    expect(codes).not.toContain(null);
    for (const reason of reasons) expect(reasonWords(reason), reason).not.toMatch(ofTheApi);
  });

  it('a method that failed or was dropped says so without the error of the program', () => {
    for (const status of ['failed', 'dropped'] as const)
      expect(unscoredWords(status, 'TypeError: rows[0] is undefined, `x` is short.')).not.toMatch(/TypeError|`/);
  });
});
