import { shapeOf } from './shape-of.ts';
import type { Method, MethodVersion, TrainingData } from './types.ts';

/**
 * The members of an average that can read these data: the shape allows them and their features exist. Null for a method
 * that is no average.
 */
export function readableMembers(method: Method, data: TrainingData): readonly MethodVersion[] | null {
  if (!method.membersFor) return null;
  return method.membersFor(shapeOf(data), data.features);
}
