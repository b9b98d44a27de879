import type { Head } from '../methods/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import { alignBatch, centreOf } from '../methods/recentring.ts';
import type { Centring } from '../methods/types.ts';
import { spread } from '../methods/parts/reference-space.ts';
import { expm, invsqrtm, logm, tangentVectors, unpackUpper } from '../geometry/index.ts';
import { squareOf } from '../matrix.ts';
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

/** The mean that people are recentred on; `npm run bench -- reference` compares it with the other. */
const usual: Centring = 'riemannian';

/** Recentres one person: covariances as vectors in the tangent space at the person's own mean. */
export function vectorsOfPerson(trials: PersonTrials, shape: ReadShape, centring: Centring = usual): PersonVectors {
  const features = featuresOf(trials, shape);
  if (shape.reading.kind === 'means') return { ...trials, features, vectors: trials.values, logCentre: null };
  const p = shape.read.length;
  const data = { features, labels: trials.labels, classes: [], sessions: null };
  const how = { workspace: createWorkspace(), centring };
  const centre = squareOf(centreOf(data, shape.reading.set, trials.learned, how)!, p);
  const vectors = tangentVectors(unpackUpper(trials.values, p), centre).data;
  return { ...trials, features, vectors, logCentre: trials.learned.length > 0 ? logm(centre).data : null };
}

/** Log-Euclidean mean [p × p] of the means of the people that fits learn from. Null where nothing is recentred. */
export function centreOfPeople(people: readonly PersonVectors[], p: number): Float64Array | null {
  const own = people.flatMap(({ logCentre, learned }) => (logCentre && learned.length > 0 ? [logCentre] : []));
  if (own.length === 0) return null;
  const sum = new Float64Array(p * p);
  for (const centre of own) centre.forEach((value, j) => (sum[j] += value / own.length));
  return expm(squareOf(sum, p)).data;
}

/** Channels from which a feature set is read: indices `at` among all `channels`. */
export interface ReadChannels {
  readonly at: readonly number[];
  readonly channels: number;
}

/** Head of a method for new people: the tangent space at `centre` of the channels that are read, and a classifier. */
export function headOf(
  classifier: Head,
  centre: Float64Array | null,
  set: string,
  { at, channels }: ReadChannels,
): Head {
  if (!centre) return { representation: {}, classifier };
  const q = at.length;
  const whiteners = spread(invsqrtm(squareOf(centre, q)), at, channels);
  return { representation: { set, p: channels, q, blocks: 1, whiteners }, classifier };
}

/** A fitted head, and how a person's trials are recentred before it decides: as one batch, or each trial alone. */
export interface HeadForPeople {
  readonly head: Head;
  readonly centre: Float64Array | null;
  readonly align: 'batch' | 'none';
  readonly centring?: Centring;
}

/** Log-scores [trials × classes] of a person whom the head has not seen. */
export function answersFor(
  { features }: PersonVectors,
  { reading }: ReadShape,
  { head, centre, align, centring = usual }: HeadForPeople,
): Float64Array {
  const workspace = createWorkspace();
  const rows = Int32Array.from({ length: features.trials }, (_, i) => i);
  const moved =
    align === 'batch' && centre ? alignBatch(features, { [reading.set]: centre }, { workspace, centring }) : features;
  return methodOf(reading.method).decide(head, moved, rows, workspace);
}
