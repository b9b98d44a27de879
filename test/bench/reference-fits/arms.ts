import { balancedAccuracy, decisions } from '../../../ml/evidence/scores.ts';
import { extractFeatures, loudnessSet } from '../../../ml/features/index.ts';
import { createWorkspace } from '../../../ml/methods/index.ts';
import type { ReferenceFit } from '../../../ml/reference-fits/types.ts';
import {
  chooseCandidate,
  fitWinner,
  planFolds,
  predictFeatures,
  predictTrials,
  scoreCandidate,
  trainClassifier,
  trainingData,
  type CandidateScore,
  type Choice,
  type FittedModel,
} from '../../../ml/train/index.ts';
import type { Features } from '../../../ml/types.ts';
import { classNames, someTrials } from './people.ts';
import type { BenchPerson } from './people.ts';

const set = 'cov/8-32';
/** The classical candidate that stands for own trials alone; the first of the candidates of `both`. */
export const own = 'tangent-tuned';
/** What competes when there are others. */
export const candidates = [own, 'reference-prior', 'reference-ridge', 'reference-average'] as const;

/** Balanced accuracies on the last run. */
export interface Arms {
  /** Others only, recentred as a batch, and each trial alone. */
  readonly others: number;
  readonly othersAlone: number;
  /** The candidate of own trials alone. */
  readonly own: number;
  /** What is chosen among all candidates, by the own trials alone. */
  readonly both: number;
  /** Of what is chosen, and of the classical candidate, with the last run sent as a batch. */
  readonly bothBatch: number;
  readonly ownBatch: number;
  readonly chosen: string;
  /** Each candidate by itself. */
  readonly each: Readonly<Record<string, number>>;
}

export const lastRun = ({ runs }: BenchPerson): number[] => [...runs.keys()].filter((row) => runs[row] === '12');

/** The first `count` trials of a person before the last run. */
export const firstTrials = ({ runs }: BenchPerson, count: number): number[] =>
  [...runs.keys()].filter((row) => runs[row] !== '12').slice(0, count);

const labelsAt = ({ labels }: BenchPerson, rows: readonly number[]): string[] => rows.map((row) => labels[row]!);

/** The choice of one candidate, an average at the temperatures of its members. */
export const byItself = ({ method, version, temperature, averaged }: CandidateScore): Choice => ({
  method,
  version,
  temperature,
  ...(averaged && { averaged }),
  explanation: '',
});

/** What others, own trials and both reach for a person whom `fit` has not seen. */
export function armsOf(person: BenchPerson, count: number, names: readonly string[], fit: ReferenceFit): Arms {
  const [rows, held] = [firstTrials(person, count), lastRun(person)];
  const wanted = Int32Array.from(labelsAt(person, held), (label) => classNames.indexOf(label as 'left'));
  const later = extractFeatures(someTrials(person, held, names), [set]);
  const score = (model: FittedModel, align: 'batch' | 'none', features: Features = later): number =>
    balancedAccuracy(decisions(predictFeatures(model, features, { align }), 2), wanted, 2);
  const known = extractFeatures(someTrials(person, rows, names), [set, loudnessSet]);
  const data = {
    ...trainingData(known, labelsAt(person, rows), null, { kind: 'motor' }),
    reference: { ...fit.prior, classes: [...classNames] },
  };
  const plan = { ...planFolds(data), inner: [] };
  const workspace = createWorkspace();
  const scores = candidates.reduce<ReturnType<typeof scoreCandidate>[]>(
    (earlier, id) => [...earlier, scoreCandidate(id, data, plan, workspace, earlier)],
    [],
  );
  const choice = chooseCandidate(scores, data, plan);
  const both = fitWinner(choice, data, workspace);
  const models = scores.map((candidate) => fitWinner(byItself(candidate), data, workspace));
  const [first] = models;
  return {
    others: score(fit.model, 'batch'),
    othersAlone: score(fit.model, 'none'),
    own: score(first!, 'none'),
    ownBatch: score(first!, 'batch'),
    both: score(both, 'none'),
    bothBatch: score(both, 'batch'),
    chosen: choice.method === 'pool' ? `pool of ${choice.pool![0]!.id}` : choice.method,
    each: Object.fromEntries(candidates.map((id, c) => [id, score(models[c]!, 'none')])),
  };
}

/** The whole create, all candidates of the service, with and without others. */
export function wholeChoice(person: BenchPerson, count: number, names: readonly string[], fit: ReferenceFit) {
  const [rows, held] = [firstTrials(person, count), lastRun(person)];
  const wanted = Int32Array.from(labelsAt(person, held), (label) => classNames.indexOf(label as 'left'));
  const [trials, later] = [someTrials(person, rows, names), someTrials(person, held, names)];
  const score = (reference: object) => {
    const { model } = trainClassifier(trials, labelsAt(person, rows), null, { kind: 'motor', ...reference });
    const told = predictTrials(model, later, { align: 'none' });
    return { method: model.method.id, score: balancedAccuracy(decisions(told, 2), wanted, 2) };
  };
  return { own: score({}), both: score({ reference: { ...fit.prior, classes: [...classNames] } }) };
}
