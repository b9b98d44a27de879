import type { DatasetShape } from '../types.ts';
import { frequenciesIn } from './sets.ts';
import type { TrainingData } from './types.ts';

const baselinePrefix = 'baseline/';

/** The shape of training data as selection saw it, as far as features and labels tell it. */
export function shapeOf({
  features,
  kind = 'other',
  labels,
  classes,
  sessions,
  recordings,
}: TrainingData): DatasetShape {
  const { shape, sets } = features;
  const trialsPerClass = classes.map(() => 0);
  for (const label of labels) trialsPerClass[label] += 1;
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
    trialsPerClass,
    sessions: sessions ? new Set(sessions).size : 1,
    ...(recordings ? { recordings: new Set(recordings).size } : {}),
    ...(frequenciesHz ? { frequenciesHz } : {}),
    storedFeaturesOnly: false,
    missingChannels: 'nearest',
    ...(shape.positions ? { positions: shape.positions } : {}),
    ...(baseline === undefined ? {} : { baselineSeconds: Number(baseline.slice(baselinePrefix.length)) }),
  };
}
