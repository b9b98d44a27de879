import { takeRows } from '../../ml/rows.ts';
import type { TrainingData } from '../../ml/train/index.ts';
import type { ReferencePrior } from '../../ml/types.ts';
import { openStoredFit } from './stored-fit.ts';
import { reasonSentence } from '../../ml/reason-sentences.ts';

/** Encoded fit on recordings of other people, and the reference class of each class of the job. */
export interface EncodedReferenceFit {
  readonly bytes: Uint8Array;
  /** In the order of the job's classes. */
  readonly classes: readonly string[];
}

/** The fit, or the reason why it is missing, as the end of a sentence that begins with "needs". */
export type ReferenceFitOrReason = EncodedReferenceFit | { readonly missing: string };

/**
 * The prior from other people's recordings for the job's `classes`, in their order. Throws a RangeError if the fit does
 * not distinguish these classes.
 */
export function priorFor({ bytes, classes: behind }: EncodedReferenceFit, classes: readonly string[]): ReferencePrior {
  const { prior } = openStoredFit(bytes);
  const rows = behind.map((id) => prior.classes.indexOf(id));
  if (rows.length !== classes.length || rows.includes(-1))
    throw new RangeError(`Recordings of ${prior.classes.length} classes cannot stand for these ${classes.length}.`);
  const { known } = prior;
  return {
    ...prior,
    classes,
    ...classRows(prior, rows),
    ...(known && { known: { ...known, without: known.without.map((head) => classRows(head, rows)) } }),
  };
}

/** A linear classifier of the classes at `rows`. */
function classRows(
  { weights, bias }: Pick<ReferencePrior, 'weights' | 'bias'>,
  rows: readonly number[],
): Pick<ReferencePrior, 'weights' | 'bias'> {
  return {
    weights: takeRows(weights, weights.length / bias.length, Int32Array.from(rows)),
    bias: Float64Array.from(rows, (row) => bias[row]),
  };
}

/** Adds the prior from other people's recordings. If it cannot be read, adds the reason. */
export function withReferencePrior(training: TrainingData, referenceFit?: ReferenceFitOrReason | null): TrainingData {
  if (!referenceFit) return training;
  if ('missing' in referenceFit) return { ...training, referenceLost: referenceFit.missing };
  try {
    return { ...training, reference: priorFor(referenceFit, training.classes) };
  } catch {
    const referenceLost = reasonSentence('other_people_lost', {});
    return { ...training, referenceLost };
  }
}
