import { movementCard } from '../encoders/movement/index.ts';
import { networkReference } from '../train/report/network-reference.ts';
import { rounded } from '../train/report/rounded.ts';
import { priorsText } from '../train/report/priors-block.ts';
import type { FittedModel, TrainingReport } from '../train/types.ts';
import type { MontageScores } from './network-evidence.ts';
import type { ReferenceEvidence } from './types.ts';

/**
 * The training report of the network without own trials, from the scores of its card. Fields that need trials are null
 * or empty.
 */
export function networkReport(
  { classes, method, head, temperature }: FittedModel,
  { batch, alone }: MontageScores,
  evidence: ReferenceEvidence,
): TrainingReport {
  const first = head['positive'] === 0 ? 1 : 0;
  const counts = classes.map((_, k) => classes.map((__, j) => batch.confusion[k ^ first][j ^ first]));
  const perClass = (of: (k: number) => number) => Object.fromEntries(classes.map((name, k) => [name, of(k)]));
  const total = (k: number): number => counts[k].reduce((a, b) => a + b, 0);
  const all = classes.reduce((sum, _, k) => sum + total(k), 0);
  const { balancedAccuracy, interval95, onePerson95, lowerBound, quartiles, withoutAlignment, notes } = evidence;
  return rounded({
    balanced_accuracy: balancedAccuracy,
    chance: 1 / 2,
    corrected: null,
    interval_95: interval95,
    p_value: null,
    permutations: 0,
    method: method.id,
    method_version: method.version,
    method_title: method.title,
    choice:
      'There were no trials of your own to choose by: the movement network answers, as it learned from other people ' +
      '(model card: /docs/movement-network).',
    pool: null,
    balanced_accuracy_aligned: balancedAccuracy,
    validation: {
      kind: 'people',
      description:
        `${evidence.people} people in ${movementCard.networks} groups, each left out in turn: no score is of a person ` +
        'whom the network has seen. Every person counts alike, recentred on the own trials (`align: "batch"`).',
      folds: movementCard.networks,
      repeats: 1,
      held_out_sessions: [],
    },
    trials: evidence.trials,
    trials_per_class: perClass(total),
    confusion_matrix: { labels: [...classes], counts },
    recall: perClass((k) => counts[k][k] / total(k)),
    log_loss: batch.logLoss,
    calibration_error: batch.calibrationError,
    priors: {
      kind: 'balanced',
      classes: perClass(() => 1 / 2),
      sent: perClass((k) => total(k) / all),
      accuracy: classes.reduce((sum, _, k) => sum + counts[k][k], 0) / all,
      balanced_accuracy: balancedAccuracy,
      explanation: priorsText.balanced,
    },
    temperature,
    learning_curve: [],
    forecast: null,
    controls: [],
    patterns: null,
    patterns_reason: 'It learned from the recordings of other people.',
    methods: [
      {
        ...method,
        status: 'scored',
        seconds: 0,
        balanced_accuracy: balancedAccuracy,
        interval_95: interval95,
        fold_scores: [],
        fold_spread: null,
        log_loss: batch.logLoss,
        temperature,
        balanced_accuracy_aligned: balancedAccuracy,
        reason: null,
      },
    ],
    reference: {
      people: evidence.people,
      lower_bound_95: lowerBound,
      one_person_95: onePerson95,
      quartiles,
      balanced_accuracy_unaligned: withoutAlignment,
      log_loss_unaligned: alone.logLoss,
      calibration_error_unaligned: alone.calibrationError,
      temperature_unaligned: 1,
      electrodes: [...evidence.read],
      channels_not_read: [...evidence.notRead],
      seconds: evidence.seconds,
      notes: [...notes],
    },
    network: networkReference,
    warnings: [...evidence.warnings],
  }) as TrainingReport;
}
