import { extractFeatures } from '../../ml/features/index.ts';
import { methodOf } from '../../ml/methods/index.ts';
import { select } from '../../ml/select/index.ts';
import { datasetShape, planFolds, trainingData } from '../../ml/train/index.ts';
import type { TaskKind, Trials } from '../../ml/types.ts';

/** Six pipelines by kind of task: those at the head of MOABB's benchmark (Chevallier et al. 2024). */
export const pipelines = {
  motor: ['ACM+TS+SVM', 'TS+ElasticNet', 'TS+SVM', 'TS(8-32)+LR', 'FgMDM', 'CSP+LDA'],
  erp: ['XdawnCov+TS+SVM', 'XdawnCov+TS+LR', 'XdawnCov+MDM', 'ERPCov+MDM', 'xDAWN+LDA', 'ERPCov+TS+LR(tuned)'],
} as const;

/** Test rows of each fold of our own plan, for peers that are scored on the same. */
export function foldsOf(trials: Trials, labels: readonly string[], kind: TaskKind): number[][] {
  const shape = datasetShape(trials, labels, null, { kind });
  const sets = select(shape).candidates.flatMap(({ id }) => methodOf(id).featureSets(shape));
  const plan = planFolds(trainingData(extractFeatures(trials, [...new Set(sets)]), labels, null));
  return plan.folds.map(({ test }) => [...test]);
}
