import type { NetworkTask } from '../../types.ts';
import { movementCard } from './card.ts';

/** A reference task, and its class for each of the caller's classes. */
interface Match {
  readonly task: { readonly task: string };
  readonly mapping: Readonly<Record<string, string>>;
}

/** Head of the network for a reference task; null: it has none. */
export const headOfTask = (task: string): string | null =>
  Object.entries(movementCard.heads).find(([, { tasks }]) => Object.hasOwn(tasks, task))?.[0] ?? null;

/** The first of the matches that the network has a head for, with both classes; null: none. */
export function networkTaskOf(matches: readonly Match[]): NetworkTask | null {
  for (const { task, mapping } of matches) {
    const head = headOfTask(task.task);
    const names = Object.keys(mapping).sort();
    if (head === null || names.length !== 2) continue;
    const wanted = movementCard.heads[head].tasks[task.task];
    return { head, positive: mapping[names[0]] === wanted ? 0 : 1 };
  }
  return null;
}
