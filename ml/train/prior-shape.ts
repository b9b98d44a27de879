import { frequenciesIn } from '../methods/sets.ts';
import type { PriorShape } from '../select/index.ts';
import type { TrainingData } from './types.ts';

/** The part of training data that decides which measurements of other people are nearest. */
export const priorShapeOf = ({ kind = 'other', labels, features }: TrainingData): PriorShape => ({
  kind,
  trials: labels.length,
  channels: features.shape.channels,
  flicker: frequenciesIn(features) !== undefined,
});
