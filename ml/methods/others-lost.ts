import { weightsOf } from '../encoders/ids.ts';
import { movementId } from '../encoders/movement/index.ts';
import { methodOf } from './index.ts';
import { setsOf } from './sets.ts';
import type { TrainingData } from './types.ts';

type Lost = Pick<TrainingData, 'features' | 'referenceLost' | 'networksLost'>;

/** Why a method may not use what was learned from other people; null: it may, or uses nothing of them. */
export function othersLost(id: string, { features, referenceLost, networksLost }: Lost): string | null {
  if (referenceLost !== undefined && methodOf(id).needsOthers) return referenceLost;
  if (networksLost === undefined) return null;
  return weightsOf(setsOf(methodOf(id), features)).some((weights) => weights.id === movementId) ? networksLost : null;
}
