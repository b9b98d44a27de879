import type { TrainingData } from '../../ml/train/index.ts';
import type { ReferencePrior } from '../../ml/types.ts';
import { openStoredFit } from './stored-fit.ts';

/** A finished fit on recordings of other people, encoded, and the class of it behind each class of the job. */
export interface OthersKnown {
  readonly bytes: Uint8Array;
  /** In the order of the names of the job's classes. */
  readonly classes: readonly string[];
}

/** The same, or why it cannot be had, from "needs" on. */
export type OthersTaught = OthersKnown | { readonly lost: string };

/**
 * What other people's recordings say of the job's `classes`, which are in order. Throws a RangeError where the fit does
 * not tell these classes apart.
 */
export function priorFor({ bytes, classes: behind }: OthersKnown, classes: readonly string[]): ReferencePrior {
  const { prior } = openStoredFit(bytes);
  const rows = behind.map((id) => prior.classes.indexOf(id));
  if (rows.length !== classes.length || rows.includes(-1))
    throw new RangeError(`Recordings of ${prior.classes.length} classes cannot stand for these ${classes.length}.`);
  const width = prior.weights.length / prior.classes.length;
  const weights = new Float64Array(rows.length * width);
  rows.forEach((row, k) => weights.set(prior.weights.subarray(row * width, (row + 1) * width), k * width));
  return { ...prior, classes, weights, bias: Float64Array.from(rows, (row) => prior.bias[row]) };
}

/** The same data with what other people's recordings say of its classes; without it where that cannot be read. */
export function taught(training: TrainingData, others?: OthersTaught | null): TrainingData {
  if (!others) return training;
  if ('lost' in others) return { ...training, referenceLost: others.lost };
  try {
    return { ...training, reference: priorFor(others, training.classes) };
  } catch {
    const referenceLost = 'needs recordings of other people; what was learned from them could not be read';
    return { ...training, referenceLost };
  }
}
