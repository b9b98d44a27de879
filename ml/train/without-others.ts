import { methodOf } from '../methods/index.ts';
import type { TrainingData } from './types.ts';

/**
 * Why a method cannot begin from recordings of other people although it was chosen to; null: it can, or begins from its
 * own trials.
 */
export const withoutOthers = (id: string, data: TrainingData): string | null =>
  data.referenceLost !== undefined && methodOf(id).needsOthers ? data.referenceLost : null;
