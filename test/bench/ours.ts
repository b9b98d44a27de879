import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { select } from '../../ml/select/index.ts';
import {
  datasetShape,
  predictTrials,
  trainClassifier,
  trainingData,
  type TrainingReport,
} from '../../ml/train/index.ts';
import { toTrials } from '../support/recordings.ts';
import type { Split } from './tasks.ts';

/** Our create on the training trials of a split, and what it reaches on the test trials. */
export interface OurResult {
  readonly method: string;
  readonly balancedAccuracy: number;
  /** The same with the test trials sent as one batch, `align: "batch"`. */
  readonly aligned: number;
  readonly seconds: number;
  /** What the report promised: cross-validated, and corrected for the choice. */
  readonly promised: number;
  readonly corrected: number;
  /** Cross-validated and test scores of every candidate; empty without `hindsight`. */
  readonly candidates: Readonly<
    Record<
      string,
      { readonly crossValidated: number; readonly logLoss: number; readonly test: number; readonly seconds: number }
    >
  >;
}

interface MethodRow {
  readonly id: string;
  readonly status: string;
  readonly balanced_accuracy: number;
  readonly log_loss: number;
  readonly seconds: number;
}

export function evaluateOurs(
  { recording, train, test, options }: Split,
  { hindsight }: { readonly hindsight: boolean },
): OurResult {
  const trials = toTrials(recording, train);
  const held = toTrials(recording, test);
  const labels = train.map((row) => recording.labels[row]!);
  const wanted = test.map((row) => recording.labels[row]!);
  const sessions = train.map((row) => recording.sessions[row]!);
  const started = performance.now();
  const { model, report } = trainClassifier(trials, labels, sessions, options);
  const seconds = (performance.now() - started) / 1000;
  const score = (probabilities: Float64Array): number => balancedAccuracy(probabilities, model.classes, wanted);
  const rows = (report['methods'] as MethodRow[]).filter(({ id, status }) => status === 'scored' && id !== 'pool');
  const tested = hindsight ? hindsightScores() : {};
  return {
    method: model.method.id,
    seconds,
    balancedAccuracy: score(predictTrials(model, held, { align: 'none' })),
    aligned: score(predictTrials(model, held, { align: 'batch' })),
    promised: report.balanced_accuracy,
    corrected: (report['corrected'] as TrainingReport | null)?.balanced_accuracy ?? Number.NaN,
    candidates: Object.fromEntries(
      rows.map((row) => [
        row.id,
        {
          crossValidated: row.balanced_accuracy,
          logLoss: row.log_loss,
          test: tested[row.id] ?? Number.NaN,
          seconds: row.seconds,
        },
      ]),
    ),
  };

  function hindsightScores(): Record<string, number> {
    const shape = datasetShape(trials, labels, sessions, options);
    const methods = select(shape).candidates.map(({ id }) => methodOf(id));
    const sets = [...new Set(methods.flatMap((method) => method.featureSets(shape)))];
    const data = trainingData(extractFeatures(trials, sets), labels, sessions);
    const later = extractFeatures(held, sets);
    const all = (count: number): Int32Array => Int32Array.from({ length: count }, (_, row) => row);
    const workspace = createWorkspace();
    const [fitRows, testRows] = [all(train.length), all(test.length)];
    return Object.fromEntries(
      methods.map((method) => {
        const head = method.fit({ data, rows: fitRows, workspace });
        return [method.id, score(method.decide(head, later, testRows, createWorkspace()))];
      }),
    );
  }
}

/** Mean recall of the greatest score per row [rows × classes]. */
export function balancedAccuracy(scores: Float64Array, classes: readonly string[], wanted: readonly string[]): number {
  const recalls = classes
    .filter((name) => wanted.includes(name))
    .map((name) => {
      const rows = wanted.map((label, row) => (label === name ? row : -1)).filter((row) => row >= 0);
      return (
        rows.filter((row) => classes[greatest(scores, row * classes.length, classes.length)] === name).length /
        rows.length
      );
    });
  return recalls.reduce((a, b) => a + b, 0) / recalls.length;
}

function greatest(scores: Float64Array, at: number, count: number): number {
  let best = 0;
  for (let k = 1; k < count; k++) if (scores[at + k]! > scores[at + best]!) best = k;
  return best;
}
