import { countsOf } from '../evidence/scores.ts';
import type { DatasetShape } from '../types.ts';
import { encodersIn, frequenciesIn } from './sets.ts';
import type { TrainingData } from './types.ts';

const baselinePrefix = 'baseline/';

/** The shape of training data for selection, as far as features and labels show it. */
export function shapeOf({
  features,
  kind = 'other',
  labels,
  classes,
  sessions,
  recordings,
  reference,
  referenceLost,
  network,
}: TrainingData): DatasetShape {
  const { shape, sets } = features;
  const frequenciesHz = frequenciesIn(features);
  const baseline = Object.keys(sets).find((id) => id.startsWith(baselinePrefix));
  return {
    kind,
    channelNames: shape.channelNames,
    sourceRateHz: shape.sourceRateHz,
    samples: shape.samples,
    seconds: shape.samples / shape.rateHz,
    trials: labels.length,
    classes,
    trialsPerClass: countsOf(labels, classes.length),
    sessions: sessions ? new Set(sessions).size : 1,
    ...(recordings ? { recordings: new Set(recordings).size } : {}),
    ...(frequenciesHz ? { frequenciesHz } : {}),
    ...encodersIn(features),
    storedFeaturesOnly: false,
    missingChannels: 'nearest',
    ...(shape.positions ? { positions: shape.positions } : {}),
    ...(reference ? { reference } : referenceLost ? { reference: { reason: referenceLost } } : {}),
    ...(network ? { network } : {}),
    ...(baseline === undefined ? {} : { baselineSeconds: Number(baseline.slice(baselinePrefix.length)) }),
  };
}
