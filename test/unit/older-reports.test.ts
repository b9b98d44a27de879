import { expect, test } from 'vitest';
import { reportSummary, trainingReport } from '../../infra/contract/training-report.ts';

const method = { id: 'csp-lda', version: '1', title: 'CSP + LDA' };
const interval = [0.61, 0.83];

/** A report as the first models were given it, before any field was added. */
const first = {
  balanced_accuracy: 0.72,
  chance: 0.5,
  corrected: {
    balanced_accuracy: 0.7,
    interval_95: interval,
    resamples: 400,
    resampled: 'trials',
    nested: true,
    explanation: 'What the choice is expected to reach.',
  },
  interval_95: interval,
  p_value: 0.001,
  permutations: 999,
  method: method.id,
  method_version: method.version,
  method_title: method.title,
  choice: 'CSP + LDA has the lowest calibrated log-loss.',
  validation: { kind: 'stratified', description: 'Five folds.', folds: 5, repeats: 2, held_out_sessions: [] },
  trials: 60,
  trials_per_class: { left: 30, right: 30 },
  confusion_matrix: {
    labels: ['left', 'right'],
    counts: [
      [22, 8],
      [9, 21],
    ],
  },
  recall: { left: 0.73, right: 0.7 },
  log_loss: 0.55,
  calibration_error: 0.06,
  temperature: 1.2,
  learning_curve: [{ trials_per_class: 24, balanced_accuracy: 0.72 }],
  forecast: {
    balanced_accuracy_with_twice_the_trials: 0.76,
    more_trials_per_class: 12,
    gain: 0.03,
    text: 'About 12 more trials per class.',
  },
  methods: [
    {
      ...method,
      status: 'scored',
      seconds: 0.2,
      balanced_accuracy: 0.72,
      interval_95: interval,
      fold_scores: [0.7, 0.74],
      fold_spread: 0.03,
      log_loss: 0.55,
      temperature: 1.2,
      reason: null,
    },
    { ...method, status: 'failed', seconds: 0.1, reason: 'Its scores are not finite numbers on these trials.' },
    { id: 'cca', title: 'CCA', status: 'skipped', reason: 'needs frequencies' },
  ],
  warnings: [],
};

test('reports that were stored before fields were added are served as they are', () => {
  expect(trainingReport.parse(first)).toEqual(first);
  const { balanced_accuracy, chance, corrected } = first;
  expect(reportSummary.parse({ balanced_accuracy, chance, corrected })).toEqual({
    balanced_accuracy,
    chance,
    corrected,
  });
});
