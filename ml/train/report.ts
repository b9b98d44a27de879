import { calibrationError } from '../evidence/calibration.ts';
import { accuracyInterval } from '../evidence/interval.ts';
import { forecast } from '../evidence/learning-curve.ts';
import { balancedAccuracy, confusionMatrix, decisions } from '../evidence/scores.ts';
import { evidenceWarnings } from '../evidence/warnings.ts';
import { answerAt, currentAnswer } from './answers.ts';
import type { CandidateScore, ReportInput, TrainingData, TrainingReport } from './types.ts';

/** Rounds every number of a plain value to four decimals; what is not a number becomes null. */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 1e4) / 1e4 : null;
  if (Array.isArray(value)) return value.map(rounded);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, rounded(own)]));
  return value;
}

const spread = (values: readonly number[]): number => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.length > 1 ? Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1)) : 0;
};

/** Recall of each class and the confusion counts, averaged over the evidence passes. */
function confusion(
  score: CandidateScore,
  data: TrainingData,
  passes: number,
): { counts: number[][]; recalls: number[] } {
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const counts = Array.from({ length: classes }, () => Array.from({ length: classes }, () => 0));
  for (let p = 0; p < passes; p += 1) {
    confusionMatrix(
      decisions(score.outOfFold.subarray(p * size, (p + 1) * size), classes),
      data.labels,
      classes,
    ).forEach((row, k) => row.forEach((count, j) => (counts[k][j] += count / passes)));
  }
  return {
    counts,
    recalls: counts.map(
      (row, k) =>
        row[k] /
        Math.max(
          1e-12,
          row.reduce((a, b) => a + b, 0),
        ),
    ),
  };
}

function methodRow(
  score: CandidateScore,
  data: TrainingData,
  passes: number,
  counts: readonly number[],
): Record<string, unknown> {
  const common = {
    id: score.method,
    version: score.version,
    title: score.title,
    status: score.status,
    seconds: score.seconds,
  };
  if (score.status === 'failed') return { ...common, reason: score.reason };
  const aligned =
    score.aligned && balancedAccuracy(decisions(score.aligned, data.classes.length), data.labels, data.classes.length);
  return {
    ...common,
    balanced_accuracy: score.balancedAccuracy,
    interval_95: accuracyInterval(confusion(score, data, passes).recalls, counts),
    fold_scores: score.foldScores,
    fold_spread: spread(score.foldScores),
    log_loss: score.logLoss,
    temperature: score.temperature,
    ...(aligned === null ? {} : { balanced_accuracy_aligned: aligned }),
    reason: null,
  };
}

/** The evidence of a fit as plain JSON: stable snake_case names, numbers rounded to four decimals. */
export function buildReport({
  scores,
  skipped,
  choice,
  weighed,
  data,
  plan,
  warnings,
  learningCurve = [],
}: ReportInput): TrainingReport {
  const classes = data.classes.length;
  const score = scores.find(({ method }) => method === choice.method)!;
  const counts = data.classes.map((_, k) => data.labels.reduce((sum, label) => sum + (label === k ? 1 : 0), 0));
  const { counts: matrix, recalls } = confusion(score, data, plan.evidencePasses);
  const { corrected, permutation } = weighed;
  const size = data.labels.length * classes;
  const { softmax } = answerAt(currentAnswer());
  const errors = Array.from({ length: plan.evidencePasses }, (_, p) =>
    calibrationError(
      softmax(score.outOfFold.subarray(p * size, (p + 1) * size), classes, score.temperature),
      data.labels,
      classes,
    ),
  );
  const prediction = forecast(learningCurve);
  const own = methodRow(score, data, plan.evidencePasses, counts);
  const report = {
    balanced_accuracy: score.balancedAccuracy,
    chance: 1 / classes,
    corrected: {
      balanced_accuracy: corrected.balancedAccuracy,
      interval_95: corrected.interval,
      resamples: corrected.resamples,
      resampled: corrected.unit,
      nested: corrected.nested,
      explanation:
        'What the choice among all candidates is expected to reach on new trials of the same kind: choosing is ' +
        'repeated in each bootstrap sample and scored outside it.',
    },
    interval_95: accuracyInterval(recalls, counts),
    p_value: permutation.p,
    permutations: permutation.permutations,
    method: score.method,
    method_version: score.version,
    method_title: score.title,
    choice: choice.explanation,
    ...('balanced_accuracy_aligned' in own ? { balanced_accuracy_aligned: own['balanced_accuracy_aligned'] } : {}),
    validation: {
      kind: plan.validation,
      description: plan.description,
      folds: plan.folds.filter((fold) => fold.pass === 0).length,
      repeats: plan.evidencePasses,
      held_out_sessions: plan.folds.filter((fold) => fold.heldOut.length > 0).map((fold) => [...fold.heldOut]),
    },
    trials: data.labels.length,
    trials_per_class: Object.fromEntries(data.classes.map((name, k) => [name, counts[k]])),
    confusion_matrix: { labels: [...data.classes], counts: matrix },
    recall: Object.fromEntries(data.classes.map((name, k) => [name, recalls[k]])),
    log_loss: score.logLoss,
    calibration_error: errors.reduce((a, b) => a + b, 0) / errors.length,
    temperature: choice.temperature,
    learning_curve: learningCurve.map((point) => ({
      trials_per_class: point.trialsPerClass,
      balanced_accuracy: point.balancedAccuracy,
    })),
    forecast: prediction && {
      balanced_accuracy_with_twice_the_trials: prediction.withTwice,
      more_trials_per_class: prediction.moreTrialsPerClass,
      gain: prediction.gain,
      text:
        prediction.moreTrialsPerClass === null
          ? `More trials of the same kind are not expected to raise the score by ${prediction.gain}.`
          : `About ${prediction.moreTrialsPerClass} more trials per class are expected to raise the score by ` +
            `${prediction.gain}.`,
    },
    methods: [
      ...scores.map((each) => methodRow(each, data, plan.evidencePasses, counts)),
      ...skipped.map(({ id, title, reason }) => ({ id, title, status: 'skipped', reason })),
    ],
    warnings: [
      ...new Set([
        ...warnings,
        ...plan.warnings,
        ...evidenceWarnings({
          classes: data.classes,
          balancedAccuracy: score.balancedAccuracy,
          corrected: corrected.balancedAccuracy,
          p: permutation.p,
        }),
      ]),
    ],
  };
  return rounded(report) as TrainingReport;
}
