import { objectPrefixes, ownerOf } from '../../infra/contract/object-names.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';

/**
 * Names of staged signals that were written before `before`: all those of earlier hours, even if a new seal has changed
 * their time. Names begin with their hour, so that later hours are not read. Objects of others in the bucket are left.
 */
export async function oldStaged(objects: Pick<ObjectStore, 'walk'>, before: Date): Promise<string[]> {
  const { staged, stagedIn, stagedAfter } = objectPrefixes;
  const [lastHour, end] = [stagedIn(before), stagedAfter(before)];
  const names: string[] = [];
  for await (const { name, modifiedAt } of objects.walk(staged)) {
    if (name >= end) break;
    if (ownerOf(name)?.kind === 'staged' && (name < lastHour || modifiedAt < before)) names.push(name);
  }
  return names;
}
