import { describe, expect, it } from 'vitest';
import { baselineOf, explainedBy, verdictOf, type Judged } from '../../infra/contract/verdict.ts';
import { explained } from '../../ml/evidence/control.ts';

const corrected = {
  balanced_accuracy: 0.64,
  interval_95: [0.44, 0.8],
};
const report: Judged = {
  balanced_accuracy: 0.82,
  interval_95: [0.7, 0.9],
  chance: 0.333,
  corrected,
  trials: 45,
  trials_per_class: { rest: 16, fists: 15, feet: 14 },
};
const control = (balanced_accuracy: number, p_value: number | null, interval: [number, number] | null = null) => ({
  id: 'eyes' as const,
  balanced_accuracy,
  interval_95: interval,
  p_value,
});

describe('the verdict of a report', () => {
  it('is one sentence about new trials, beside guessing', () => {
    expect(verdictOf(report)).toMatchObject({
      text: 'About 64\u00A0% on new trials (44 to 80\u00A0%); guessing gives 33\u00A0%.',
      trust: 'good',
      numbers: [
        { name: 'Expected on new trials', value: '64\u00A0%' },
        { name: 'Guessing', value: '33\u00A0%' },
        { name: 'Trials', value: '45', meaning: 'rest: 16, fists: 15, feet: 14' },
      ],
    });
  });

  it('names what else explains the score', () => {
    const { text, trust } = verdictOf({ ...report, controls: [control(0.65, 0.001)] });
    expect(text).toBe(
      'About 64\u00A0% on new trials (44 to 80\u00A0%); guessing gives 33\u00A0%. Eye movements alone reach 65\u00A0%: treat with care.',
    );
    expect(trust).toBe('warn');
  });

  it('says that it may be guessing where the interval reaches chance', () => {
    const weak = { ...corrected, interval_95: [0.3, 0.8] };
    expect(verdictOf({ ...report, corrected: weak })).toMatchObject({
      text: 'About 64\u00A0% on new trials (30 to 80\u00A0%); guessing gives 33\u00A0%. It may be no better than guessing.',
      trust: 'bad',
    });
  });

  it('promises nothing where no folds can show what to expect', () => {
    const { text, trust, baseline } = verdictOf({ ...report, corrected: null });
    expect(text).toMatch(
      /^It is not known how well it labels new trials: 82\u00A0% in this recording \(70 to 90\u00A0%\)/,
    );
    expect([trust, baseline.isExpected]).toEqual(['bad', false]);
  });

  it('of a model without trials is about one person', () => {
    const reference = { people: 96, one_person_95: [0.38, 0.97] } as Judged['reference'];
    expect(verdictOf({ ...report, chance: 0.3, corrected: null, reference }).text).toBe(
      'About 82\u00A0% on a person it has not seen (38 to 97\u00A0%); guessing gives 30\u00A0%.',
    );
  });

  it('is made from the scores of a list, too', () => {
    const { balanced_accuracy, chance } = report;
    expect(verdictOf({ balanced_accuracy, chance, corrected }).text).toBe(verdictOf(report).text);
  });
});

it('a control explains the score by the rule of the warnings', () => {
  const { score, interval } = baselineOf(report);
  for (const own of [0.34, 0.4, 0.43, 0.45, 0.52, 0.55, 0.7])
    for (const p of [0.001, 0.0166, 0.02, 0.4, Number.NaN])
      for (const low of [0.3, 0.36]) {
        const of: [number, number] = [low, 0.9];
        const expected = explained({ balancedAccuracy: own, interval: of, p } as Parameters<typeof explained>[0], {
          score,
          interval: interval!,
          chance: report.chance,
        });
        const sent = control(own, Number.isNaN(p) ? null : p, of);
        expect(explainedBy({ ...report, controls: [sent] }) !== null, `${own} ${p} ${low}`).toBe(expected !== null);
      }
});
