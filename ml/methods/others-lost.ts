import { weightsOf } from '../encoders/ids.ts';
import { movementId } from '../encoders/movement/index.ts';
import { setsOf } from './sets.ts';
import type { Method, TrainingData } from './types.ts';

/** Why a method may not use what was learned from other people; null: it may, or uses nothing of them. */
export function othersLost(method: Method, { features, referenceLost, networksLost }: TrainingData): string | null {
  if (method.needsOthers && referenceLost !== undefined) return referenceLost;
  const readsNetworks = weightsOf(setsOf(method, features)).some(({ id }) => id === movementId);
  return readsNetworks && networksLost !== undefined ? networksLost : null;
}
