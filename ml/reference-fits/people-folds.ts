import { balancedWeights, decideLinear } from '../classify/linear.ts';
import type { LinearHead } from '../classify/linear.ts';
import { fitLda } from '../classify/lda.ts';
import { fitLogistic } from '../classify/logistic.ts';
import { spectralBasis } from '../classify/spectral-basis.ts';
import type { SpectralBasis } from '../classify/spectral-basis.ts';
import { balancedMean, trialLosses } from '../evidence/scores.ts';
import { fitShrinkageLda } from '../classify/shrinkage-lda.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { takeRows, valuesAt } from '../rows.ts';
import type { PersonVectors } from './people-space.ts';

/** Groups of people that are left out in turn. */
export const peopleGroups = 10;

/** Group of a person. */
export const groupOf = (person: number): number => person % peopleGroups;

/**
 * Inverse penalty of the weights of all people, per unit of the mean squared length of a vector. People have few
 * directions in common, so it is much stronger than for one person.
 */
const commonStrength = 0.3;

/** A linear classifier of the vectors of some people without their artefacts, with class weights of equal total. */
export function fitPeople(people: readonly PersonVectors[], classes: number, kind: 'moments' | 'means'): LinearHead {
  const trials = people.reduce((sum, { learned }) => sum + learned.length, 0);
  const dimension = people[0].vectors.length / people[0].labels.length;
  const x = new Float64Array(trials * dimension);
  const labels = new Int32Array(trials);
  let at = 0;
  for (const person of people) {
    x.set(takeRows(person.vectors, dimension, person.learned), at * dimension);
    labels.set(valuesAt(person.labels, person.learned), at);
    at += person.learned.length;
  }
  const table = matrixOf(x, dimension, trials);
  if (kind === 'means')
    return dimension > trials ? fitShrinkageLda(table, labels, classes) : fitLda(table, labels, classes, 'auto');
  const basis = ownBasis(table);
  const c = commonStrength / Math.max(basis.power.reduce((a, b) => a + b, 0) / trials, 1e-300);
  return fitLogistic(basis, labels, classes, { c, weights: balancedWeights(labels, classes), tolerance: 1e-3 });
}

/** Vectors minus their mean in their own coordinates, in place: faster than a spectral basis where trials are many. */
function ownBasis(table: Matrix): SpectralBasis {
  const { data: x, rows: trials, columns: dimension } = table;
  const mean = new Float64Array(dimension);
  for (let at = 0; at < x.length; at += dimension) for (let j = 0; j < dimension; j += 1) mean[j] += x[at + j] / trials;
  const power = new Float64Array(dimension);
  for (let at = 0; at < x.length; at += dimension) {
    for (let j = 0; j < dimension; j += 1) {
      x[at + j] -= mean[j];
      power[j] += x[at + j] * x[at + j];
    }
  }
  return { trials, dimension, rank: dimension, mean, scores: table, power, lift: (coefficients) => coefficients };
}

/** Inverse penalties on the distance of a person's weights from those of others; units as in `commonStrength`. */
const strays = [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3];

/** Default if no person has two trials of every class: the middle of `strays`. */
const unmeasured = 0.1;

/**
 * The earlier and the later half of each class's trials, because recordings may contain the classes one after the
 * other.
 */
function halvesOf(labels: Int32Array, classes: number): readonly [ReadonlySet<number>, ReadonlySet<number>] {
  const earlier = new Set<number>();
  for (let k = 0; k < classes; k += 1) {
    const own = [...labels.keys()].filter((row) => labels[row] === k);
    for (const row of own.slice(0, own.length >> 1)) earlier.add(row);
  }
  return [earlier, new Set([...labels.keys()].filter((row) => !earlier.has(row)))];
}

/**
 * The inverse penalty with the least class-balanced log-loss on people's later trials, if their earlier trials of each
 * class are added to the classifier of other people; in units of `commonStrength`. `heads` [people]: classifier without
 * each person, calibrated.
 */
export function strengthOf(people: readonly PersonVectors[], heads: readonly LinearHead[], classes: number): number {
  const losses = strays.map(() => 0);
  let measured = 0;
  people.forEach(({ vectors, labels, learned }, i) => {
    const dimension = vectors.length / labels.length;
    const [earlier, later] = halvesOf(labels, classes);
    const fitted = learned.filter((row) => earlier.has(row));
    const tested = Int32Array.from(later);
    const own = valuesAt(labels, fitted);
    const rest = valuesAt(labels, tested);
    if (new Set(own).size < classes || new Set(rest).size < classes) return;
    measured += 1;
    const [x, y] = [takeRows(vectors, dimension, fitted), takeRows(vectors, dimension, tested)];
    const basis = spectralBasis(matrixOf(x, dimension, own.length));
    const offsets = decideLinear(heads[i], x);
    const before = decideLinear(heads[i], y);
    const length = basis.power.reduce((a, b) => a + b, 0) / own.length;
    strays.forEach((strength, s) => {
      const c = strength / Math.max(length, 1e-300);
      const added = fitLogistic(basis, own, classes, { c, weights: balancedWeights(own, classes), offsets });
      const scores = decideLinear(added, y).map((value, j) => value + before[j]);
      losses[s] += balancedMean(trialLosses(scores, rest, classes, 1), rest, classes);
    });
  });
  return measured > 0 ? strays[losses.indexOf(Math.min(...losses))] : unmeasured;
}
