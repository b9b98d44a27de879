import { methodOf } from '../methods/index.ts';
import type { TrainingData } from './types.ts';

/** Why a method that needs recordings of other people cannot use them; null: it can, or needs only its own trials. */
export const withoutOthers = (id: string, data: TrainingData): string | null =>
  data.referenceLost !== undefined && methodOf(id).needsOthers ? data.referenceLost : null;
