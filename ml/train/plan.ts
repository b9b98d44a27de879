import { foldPlan } from '../evidence/folds.ts';
import type { FoldPlan, TrainingData } from './types.ts';

/**
 * The folds on which every candidate is scored: the same from the same labels, sessions, links and number of channels.
 */
export const planFolds = (data: TrainingData): FoldPlan => foldPlan(data, data.features.shape.channels);
