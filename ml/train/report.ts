import { firstPass } from '../evidence/drawn-folds.ts';
import { meanConfusion } from '../evidence/confusion.ts';
import { heldOutProbabilities } from '../evidence/held-out-probabilities.ts';
import { accuracyInterval } from '../evidence/interval.ts';
import { countsOf } from '../evidence/scores.ts';
import { evidenceWarnings } from '../evidence/warnings.ts';
import { answerAt, currentAnswer } from './answers.ts';
import { calibrationBlock } from './report/calibration-block.ts';
import { correctedBlock } from './report/corrected-block.ts';
import { controlRows, controlWarnings } from './report/control-rows.ts';
import { forecastBlock } from './report/forecast-block.ts';
import { alignedAccuracy, methodRow } from './report/method-row.ts';
import { patternsBlock } from './report/patterns-block.ts';
import { priorsBlock } from './report/priors-block.ts';
import { networkReference } from './report/network-reference.ts';
import { rounded } from './report/rounded.ts';
import { hasBank } from '../methods/movement/reader.ts';
import type { ReportInput, SampledFrom, TrainingReport } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

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
  growth = null,
  controls = [],
  patterns,
}: ReportInput): TrainingReport {
  const classes = data.classes.length;
  const score = scores.find(({ method }) => method === choice.method)!;
  const counts = countsOf(data.labels, classes);
  const { softmax } = answerAt(currentAnswer());
  const heldOut = heldOutProbabilities(score.outOfFold, data, plan, softmax);
  const { counts: matrix, recalls } = meanConfusion(score, data, plan);
  const { corrected, permutation } = weighed;
  const aligned = alignedAccuracy(score, data, plan);
  const interval = accuracyInterval(recalls, counts);
  const leastPrior = Math.min(...scores.map(({ prior }) => prior.mean));
  const toldFromChance = permutation.p <= 0.05;
  const report = {
    balanced_accuracy: score.balancedAccuracy,
    chance: 1 / classes,
    corrected: corrected && correctedBlock(corrected, growth, data),
    interval_95: interval,
    p_value: permutation.p,
    permutations: permutation.permutations,
    method: score.method,
    method_version: score.version,
    method_title: score.title,
    choice: choice.explanation,
    ...(choice.averaged && { averaged: choice.averaged }),
    pool: choice.pool ?? null,
    ...(aligned === null ? {} : { balanced_accuracy_aligned: aligned }),
    validation: {
      kind: plan.validation,
      description: plan.description,
      folds: firstPass(plan).length,
      repeats: plan.evidencePasses,
      held_out_sessions: plan.folds.filter((fold) => fold.heldOut.length > 0).map((fold) => [...fold.heldOut]),
    },
    trials: data.labels.length,
    ...(data.sampledFrom && { trials_sent: trialsIn(data.sampledFrom) }),
    trials_per_class: Object.fromEntries(data.classes.map((name, k) => [name, counts[k]])),
    confusion_matrix: { labels: [...data.classes], counts: matrix },
    recall: Object.fromEntries(data.classes.map((name, k) => [name, recalls[k]])),
    log_loss: score.logLoss,
    ...calibrationBlock(heldOut, data),
    priors: priorsBlock(heldOut, data),
    temperature: choice.temperature,
    learning_curve: learningCurve.map((point) => ({
      trials_per_class: point.trialsPerClass,
      balanced_accuracy: point.balancedAccuracy,
    })),
    forecast: forecastBlock(learningCurve, data, plan, toldFromChance),
    ...(patterns && patternsBlock(patterns, data)),
    controls: controlRows(controls),
    ...(hasBank(data.features) && data.networksLost === undefined && { network: networkReference }),
    methods: [
      ...scores.map((each) => methodRow(each, data, plan, { choice, leastPrior })),
      ...skipped.map(({ id, title, reason }) => ({ id, title, status: 'skipped', reason })),
    ],
    warnings: [
      ...new Set([
        ...warnings,
        ...sampleWarnings(data),
        ...plan.warnings.filter((warning) => !warnings.some((other) => other.includes(warning))),
        ...evidenceWarnings({
          classes: data.classes,
          balancedAccuracy: score.balancedAccuracy,
          corrected: corrected?.balancedAccuracy ?? Number.NaN,
          p: permutation.p,
        }),
        ...(permutation.p > 0.05
          ? []
          : controlWarnings(
              controls,
              {
                score: (corrected ?? score).balancedAccuracy,
                interval: corrected?.interval ?? interval,
                chance: 1 / classes,
              },
              data.kind,
            )),
      ]),
    ],
  };
  return rounded(report) as TrainingReport;
}

const trialsIn = ({ perClass }: SampledFrom): number => perClass.reduce((sum, count) => sum + count, 0);

/** Warnings for candidates that were scored on a sample of the trials. */
function sampleWarnings({ labels, sampledFrom }: Pick<ReportInput['data'], 'labels' | 'sampledFrom'>): string[] {
  if (!sampledFrom) return [];
  const [some, all] = [labels.length, trialsIn(sampledFrom)].map((count) => count.toLocaleString('en'));
  return [warningSentence('sample', { some, all })];
}
