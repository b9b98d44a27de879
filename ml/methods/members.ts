import type { DatasetShape } from '../types.ts';
import { frequenciesIn } from './sets.ts';
import type { Method, MethodVersion, TrainingData } from './types.ts';

/** The shape of training data, as far as features and labels tell it. */
function shapeOf({ features, labels, classes, sessions, recordings }: TrainingData): DatasetShape {
  const { shape } = features;
  const trialsPerClass = classes.map(() => 0);
  for (const label of labels) trialsPerClass[label] += 1;
  const frequenciesHz = frequenciesIn(features);
  return {
    kind: 'other',
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
  };
}

/**
 * The members of an average that read these data: those that their shape allows and whose features there are. Null for
 * a method that is no average.
 */
export function readableMembers(method: Method, data: TrainingData): readonly MethodVersion[] | null {
  if (!method.membersFor) return null;
  return method.membersFor(shapeOf(data), data.features);
}
