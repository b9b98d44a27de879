import { objectPrefixes } from '../../infra/contract/object-names.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';

/**
 * Names of staged signals that were written before `before`. Names begin with their hour, so that the oldest come first
 * and those of later hours are not read; names of former versions, which have no hour, are read all.
 */
export async function oldStaged(objects: Pick<ObjectStore, 'walk'>, before: Date): Promise<string[]> {
  const { staged, stagedAfter, stagedWithoutHour } = objectPrefixes;
  const end = stagedAfter(before);
  const names: string[] = [];
  for await (const { name, modifiedAt } of objects.walk(staged)) {
    if (name >= end) break;
    if (modifiedAt < before) names.push(name);
  }
  for await (const { name, modifiedAt } of objects.walk(stagedWithoutHour)) if (modifiedAt < before) names.push(name);
  return names;
}
