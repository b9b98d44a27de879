import { methodOf } from '../../ml/methods/index.ts';
import { readableMembers } from '../../ml/methods/members.ts';
import type { Choice, TrainingData } from '../../ml/train/index.ts';

/** The choice of a method for these data, at temperature 1; members of an average at 1, 1.5, 2, … */
export function choiceOf(id: string, data: TrainingData): Choice {
  const method = methodOf(id);
  const averaged = readableMembers(method, data)?.map((member, m) => ({
    ...member,
    title: methodOf(member.id).title,
    temperature: 1 + m / 2,
  }));
  return { method: id, version: method.version, temperature: 1, ...(averaged && { averaged }), explanation: '' };
}
