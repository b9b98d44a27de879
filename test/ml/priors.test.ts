import { expect, test } from 'vitest';
import { withPrior } from '../../ml/evidence/priors.ts';
import { predictTrials, trainClassifier } from '../../ml/train/index.ts';
import { pick, simulated } from './simulated.ts';

const all = simulated({ count: 160, channels: 4, samples: 256, strength: 0.15, seed: 11 });
/** One trial of class 1 among six. */
const rare = [...all.labels.keys()].filter((row) => row % 2 === 0 || row % 10 === 1);
const own = pick(all, rare);
const train = (priors?: 'balanced' | 'as_sent') =>
  trainClassifier(own.trials, own.labels, null, {
    kind: 'motor',
    candidates: ['tangent-logistic'],
    ...(priors && { priors }),
  });

test('the report states the prior, and the score of the labels under it', () => {
  const balanced = train().report['priors'] as Record<string, any>;
  expect(balanced).toMatchObject({ kind: 'balanced', classes: { 'class 0': 0.5, 'class 1': 0.5 } });
  expect(balanced['sent']['class 1']).toBeCloseTo(1 / 6, 3);
  expect(balanced['explanation']).toContain('equally likely');
  const sent = train('as_sent').report['priors'] as Record<string, any>;
  expect(sent).toMatchObject({ kind: 'as_sent', classes: sent['sent'], sent: balanced['sent'] });
  expect(sent['accuracy']).toBeGreaterThan(balanced['accuracy']);
  expect(sent['balanced_accuracy']).toBeLessThanOrEqual(balanced['balanced_accuracy']);
});

test('with as_sent a model answers as the balanced one corrected by Bayes, and answers a flat trial with the class frequencies', () => {
  const [balanced, sent] = [train().model, train('as_sent').model];
  expect(balanced).not.toHaveProperty('prior');
  const trials = { ...own.trials, data: own.trials.data.slice() };
  trials.data.fill(0, 0, trials.channels * trials.samples);
  const expected = withPrior(predictTrials(balanced, trials, { align: 'none' }), [5 / 6, 1 / 6]);
  predictTrials(sent, trials, { align: 'none' }).forEach((value, i) => expect(value).toBeCloseTo(expected[i]!, 10));
  expect(expected[1]).toBeCloseTo(1 / 6, 10);
});
