import type { ApiDeps } from '../deps.ts';
import type { Plan, PlanInput } from '../threads/plan.ts';

export type { Plan } from '../threads/plan.ts';

/** Refuses or reads the task and chooses methods, in a thread: the word lists of many languages take a while to search. */
export const planFit = ({ threads }: ApiDeps, input: PlanInput): Promise<Plan> => threads.run<Plan>('plan', input);

/** Throws TASK_UNSUPPORTED on positive evidence in the description or the labels. */
export const refuseUnsupported = (
  { threads }: ApiDeps,
  description: string,
  labels: readonly string[],
): Promise<void> => threads.run('refuse', { description, labels });

/** Trials of each label, in order of first appearance. */
export function countLabels(labels: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return Object.fromEntries(counts);
}
