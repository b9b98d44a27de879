import type { Head } from '../methods/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import { alignBatch, centreOf } from '../methods/recentring.ts';
import type { Centring } from '../methods/types.ts';
import { spread } from '../methods/parts/reference-space.ts';
import { expm, invsqrtm, logm, tangentVectors, unpackUpper } from '../geometry/index.ts';
import type { Features } from '../types.ts';
import type { PersonTrials, ReadShape } from './people-trials.ts';
import { referenceRateHz } from './readings.ts';

/** A person's trials as vectors that a linear classifier reads, recentred on their own mean. */
export interface PersonVectors extends PersonTrials {
  readonly features: Features;
  /** [trials × dimension] */
  readonly vectors: Float64Array;
  /**
   * Matrix logarithm of the mean covariance of the trials that fits learn from [p × p]; null where there are none, or
   * nothing is recentred.
   */
  readonly logCentre: Float64Array | null;
}

/** The trials as features of the caller's set, on the electrodes that are read. */
function featuresOf({ values, labels }: PersonTrials, { reading, read, samples }: ReadShape): Features {
  return {
    trials: labels.length,
    shape: {
      channels: read.length,
      samples,
      rateHz: referenceRateHz,
      sourceRateHz: referenceRateHz,
      channelNames: read,
    },
    sets: { [reading.set]: values },
    versions: {},
  };
}

/** The mean of whose kind people are recentred on; `npm run bench -- reference` compares it with the other. */
const usual: Centring = 'riemannian';

/** Recentres one person: covariances as vectors in the tangent space at the person's own mean. */
export function vectorsOfPerson(trials: PersonTrials, shape: ReadShape, centring: Centring = usual): PersonVectors {
  const features = featuresOf(trials, shape);
  const count = trials.labels.length;
  if (shape.reading.kind === 'means') return { ...trials, features, vectors: trials.values, logCentre: null };
  const p = shape.read.length;
  const data = { features, labels: trials.labels, classes: [], sessions: null };
  const centre = centreOf(data, shape.reading.set, trials.learned, createWorkspace(), centring)!;
  const vectors = tangentVectors(unpackUpper(trials.values, count, p), count, p, centre);
  return { ...trials, features, vectors, logCentre: trials.learned.length > 0 ? logm(centre, p) : null };
}

/**
 * Where the means of people that fits learn from lie on the middle: their log-Euclidean mean [p × p]; null where
 * nothing is recentred.
 */
export function centreOfPeople(people: readonly PersonVectors[], p: number): Float64Array | null {
  const own = people.flatMap(({ logCentre, learned }) => (logCentre && learned.length > 0 ? [logCentre] : []));
  if (own.length === 0) return null;
  const sum = new Float64Array(p * p);
  for (const centre of own) centre.forEach((value, j) => (sum[j] += value / own.length));
  return expm(sum, p);
}

/**
 * Head of a method that answers new people: the tangent space at `centre`, of the channels `at` of all `channels`, and
 * a classifier.
 */
export function headOf(
  classifier: Head,
  centre: Float64Array | null,
  set: string,
  at: readonly number[],
  channels: number,
): Head {
  if (!centre) return { representation: {}, classifier };
  const q = at.length;
  const whiteners = spread(invsqrtm(centre, q), at, channels);
  return { representation: { set, p: channels, q, blocks: 1, whiteners }, classifier };
}

/** Log-scores of a person whom the head has not seen, with the trials aligned as one batch, or each alone. */
export function answersFor(
  { features }: PersonVectors,
  head: Head,
  centre: Float64Array | null,
  { reading }: ReadShape,
  align: 'batch' | 'none',
  centring: Centring = usual,
): Float64Array {
  const workspace = createWorkspace();
  const rows = Int32Array.from({ length: features.trials }, (_, i) => i);
  const moved =
    align === 'batch' && centre ? alignBatch(features, { [reading.set]: centre }, workspace, centring) : features;
  return methodOf(reading.method).decide(head, moved, rows, workspace);
}
