import { shapeOf } from './shape-of.ts';
import type { Method, MethodVersion, TrainingData } from './types.ts';

/**
 * The members of an average that read these data: those that their shape allows and whose features there are. Null for
 * a method that is no average.
 */
export function readableMembers(method: Method, data: TrainingData): readonly MethodVersion[] | null {
  if (!method.membersFor) return null;
  return method.membersFor(shapeOf(data), data.features);
}
