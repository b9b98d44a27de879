import { objectPrefixes, ownerOf } from '../../infra/contract/object-names.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';

/**
 * Names of staged signals that were written before `before`, which those of hours that had ended by then were, also
 * where their time is that of a new seal. Names begin with their hour, so that the oldest come first and those of later
 * hours are not read; names of former versions, which have no hour, are read all. Those of others are left.
 */
export async function oldStaged(objects: Pick<ObjectStore, 'walk'>, before: Date): Promise<string[]> {
  const { staged, stagedIn, stagedAfter, stagedWithoutHour } = objectPrefixes;
  const [lastHour, end] = [stagedIn(before), stagedAfter(before)];
  const names: string[] = [];
  for await (const { name, modifiedAt } of objects.walk(staged)) {
    if (name >= end) break;
    if (isStaged(name) && (name < lastHour || modifiedAt < before)) names.push(name);
  }
  for await (const { name, modifiedAt } of objects.walk(stagedWithoutHour))
    if (isStaged(name) && modifiedAt < before) names.push(name);
  return names;
}

const isStaged = (name: string): boolean => ownerOf(name)?.kind === 'staged';
