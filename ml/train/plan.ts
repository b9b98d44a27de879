import { foldPlan } from '../evidence/folds.ts';
import type { FoldPlan, TrainingData } from './types.ts';

/**
 * The folds on which every candidate is scored. They depend only on labels, sessions, links and the number of channels.
 */
export const planFolds = (data: TrainingData): FoldPlan => foldPlan(data, data.features.shape.channels);
