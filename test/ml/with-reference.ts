import { fitLda } from '../../ml/classify/lda.ts';
import { fitShrinkageLda } from '../../ml/classify/shrinkage-lda.ts';
import { meanLogEuclid, tangentVectors, unpackUpper } from '../../ml/geometry/index.ts';
import { matrixOf } from '../../ml/matrix.ts';
import type { Method } from '../../ml/methods/index.ts';
import type { TrainingData } from '../../ml/train/index.ts';
import type { ReferencePrior } from '../../ml/types.ts';

/** The feature set that a method reads of other people's recordings; null where it reads none. */
export function referenceSetOf({ id }: Pick<Method, 'id'>): string | null {
  if (!id.startsWith('reference-')) return null;
  return id.endsWith('-wide') ? 'cov/4-40' : id.endsWith('-means') ? 'erp/windows' : 'cov/8-32';
}

/** What selection is told of recordings of other people that suit a method. */
export function standingFor(method: Pick<Method, 'id'>) {
  const set = referenceSetOf(method);
  return set === null ? {} : { reference: { set } };
}

/** The same data, and for methods that ask for it what others would teach who answered as these trials do. */
export function withReference(method: Pick<Method, 'id'>, data: TrainingData): TrainingData {
  const set = referenceSetOf(method);
  if (set === null) return data;
  const { trials, shape, sets } = data.features;
  const { channels: p } = shape;
  const matrices = set.startsWith('cov') ? unpackUpper(sets[set]!, p) : null;
  const x = matrices
    ? tangentVectors(matrices, meanLogEuclid(matrices))
    : matrixOf(sets[set]!, sets[set]!.length / trials);
  const classes = data.classes.length;
  const head = x.columns > trials ? fitShrinkageLda(x, data.labels, classes) : fitLda(x, data.labels, classes, 'auto');
  const reference: ReferencePrior = {
    format: 1,
    set,
    electrodes: shape.channelNames,
    classes: data.classes,
    weights: head.weights,
    bias: head.bias,
    strength: 0.05,
    people: 8,
  };
  return { ...data, reference };
}
