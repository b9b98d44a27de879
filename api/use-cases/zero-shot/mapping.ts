import { isDeepStrictEqual } from 'node:util';
import { dataSetOf } from '../../../infra/contract/reference-data/data-sets.ts';
import type { DataSet, ReferenceTask } from '../../../infra/contract/reference-data/data-set-schema.ts';
import type { ReferenceMatch } from '../../../ml/task/index.ts';
import type { ReferenceClasses } from '../../../infra/contract/reference-evidence.ts';

/** A task of the catalogue, and the reference class of each of the caller's classes. */
export interface ReferenceTarget {
  readonly set: DataSet;
  readonly task: ReferenceTask;
  /** Class of the caller → id of the reference class, in the caller's order. */
  readonly mapping: Readonly<Record<string, string>>;
}

export function targetOf({ task: { set, task }, mapping }: ReferenceMatch): ReferenceTarget {
  const found = dataSetOf(set);
  return { set: found, task: found.tasks.find(({ id }) => id === task)!, mapping };
}

/** The mapping as answered and as sent back by the caller. */
export const referenceClassesOf = ({ set, task, mapping }: ReferenceTarget): ReferenceClasses =>
  Object.fromEntries(
    Object.entries(mapping).map(([name, id]) => [
      name,
      { data_set: set.id, version: set.version, task: task.id, class: id },
    ]),
  );

/** What the participant does for each of the caller's classes. */
export const explanationOf = ({ task, mapping }: ReferenceTarget): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(mapping).map(([name, id]) => [name, task.classes.find((each) => each.id === id)!.does]),
  );

/** Ids of the mapped reference classes, in the order of their task. */
export const classIdsOf = ({ task, mapping }: ReferenceTarget): string[] => {
  const used = new Set(Object.values(mapping));
  return task.classes.map(({ id }) => id).filter((id) => used.has(id));
};

/** The target whose mapping was sent, with its fields in any order; undefined: none. */
export const sentTarget = (targets: readonly ReferenceTarget[], sent: unknown): ReferenceTarget | undefined =>
  targets.find((target) => isDeepStrictEqual(referenceClassesOf(target), sent));
