import { linksIn } from '../../../ml/checks/index.ts';
import { extractFeatures, isEncoded, loudnessSet } from '../../../ml/features/index.ts';
import { createWorkspace, methodOf } from '../../../ml/methods/index.ts';
import { rowsOfEach } from '../../../ml/rows.ts';
import { select } from '../../../ml/select/index.ts';
import {
  chooseCandidate,
  datasetShape,
  fitWinner,
  planFolds,
  readByEncoders,
  scoreAll,
  trainingData,
  type CandidateScore,
  type Choice,
  type FittedModel,
  type FoldPlan,
  type TrainingData,
  type TrainOptions,
} from '../../../ml/train/index.ts';
import type { DatasetShape, Trials } from '../../../ml/types.ts';
import type { EncoderSource } from './sources.ts';

/** Trials to fit on, with what a caller says of them. */
export interface Labelled {
  readonly trials: Trials;
  readonly labels: readonly string[];
  readonly sessions: readonly string[] | null;
  readonly options: TrainOptions;
}

/** Seconds on the clock, and of all processors together. */
export interface Spent {
  readonly seconds: number;
  readonly cpu: number;
}

/** What became of a create, and what it took in this process on one thread: the whole, and encoders of it. */
export interface Created {
  readonly shape: DatasetShape;
  readonly data: TrainingData;
  readonly plan: FoldPlan;
  readonly scores: readonly CandidateScore[];
  readonly choice: Choice;
  readonly model: FittedModel;
  readonly took: { readonly whole: Spent; readonly encoders: Spent };
}

/**
 * The service's create but for its report: selection, features, encoders with their cost rule, every candidate, choice,
 * refit. `source`: null where no encoder is installed. `share`: seconds that an encoder may take beforehand.
 */
export async function createOf(
  { trials, labels, sessions, options }: Labelled,
  source: EncoderSource | null,
  share?: number,
): Promise<Created> {
  const whole = stopwatch();
  const shape = {
    ...datasetShape(trials, labels, sessions, options),
    ...(source && { encoders: source.availability }),
  };
  const { candidates, featureSets: all } = select(shape);
  const ids = options.candidates ?? candidates.map(({ id }) => id);
  const own = options.candidates?.flatMap((id) => methodOf(id).featureSets(shape));
  const featureSets = own ? [...new Set([...own, loudnessSet])] : all;
  const written = featureSets.filter((set) => !isEncoded(set));
  const kind = shape.kind;
  const plain = trainingData(extractFeatures(trials, written), labels, sessions, { kind, links: linksIn(trials) });
  const encoded = featureSets.filter(isEncoded);
  const reading = { encoders: source?.encoders ?? none, recordings: rowsOfEach(sessions) };
  const reads = stopwatch();
  const data = encoded.length ? await readByEncoders(plain, trials, encoded, reading, { budget: share }) : plain;
  const encoders = reads();
  const plan = planFolds(data);
  const workspace = createWorkspace();
  const scores = scoreAll(ids, data, plan, workspace);
  const choice = chooseCandidate(scores, data, plan);
  const model = fitWinner(choice, data, workspace);
  return { shape, data, plan, scores, choice, model, took: { whole: whole(), encoders } };
}

/** Begins to measure; the function says what was spent since. */
function stopwatch(): () => Spent {
  const [start, before] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
  };
}

const none = (): never => {
  throw new Error('No encoder is installed.');
};
