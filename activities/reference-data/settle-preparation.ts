import { objectPrefixes } from '../../infra/contract/object-names.ts';
import { filesOf, peopleOf, runsOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { ReferenceTaskKey } from '../../infra/contract/reference-data/preparation.ts';
import { fewestPeople } from '../../ml/limits.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import { nothingThere } from '../../infra/recordings/reference-data/collect.ts';
import {
  endPreparation,
  faultyPeople,
  peopleUsed,
  recordPerson,
  type PreparationEnd,
} from '../../infra/records/reference-data/prepare.ts';
import { readPreparation } from '../../infra/records/reference-data/preparations.ts';
import { withHeartbeats } from '../with-heartbeats.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../activities.ts';
import { referenceOf, stoppedBy, type Reference } from './reference-of.ts';

/** Decides how a preparation ended, from the results of its people. */
export function createSettlePreparation({ pool, objects, reference, log }: Tools): Activities['settlePreparation'] {
  return ({ key, stopped, lost }) =>
    withHeartbeats(async () => {
      const at = new Date();
      const end = await transaction(pool, async (sql) => {
        for (const { person, reason } of lost) await recordPerson(sql, key, person, { ...lostPerson, reason }, at);
        const found = stopped ?? (await endOf(sql, key, referenceOf(reference, key)));
        await endPreparation(sql, key, found, at);
        return found;
      });
      if (end.status === 'ready') await removeUnused(pool, objects, key);
      log?.info(
        `Reference data ${key.set} ${key.version}, ${key.task}: ${end.status}${end.reason ? `. ${end.reason}` : ''}`,
      );
      const { people } = await readPreparation(pool, key, at);
      return { status: end.status, reason: end.reason, people };
    });
}

const lostPerson = { status: 'interrupted', ref: null, own: false, files: 0, bytes: 0, seconds: null } as const;

async function endOf(sql: Sql, key: ReferenceTaskKey, about: Reference): Promise<PreparationEnd> {
  const { set, task, source, publicMessage } = about;
  const faults = await faultyPeople(sql, key);
  const worst = faults.find(({ status }) => status === 'faulty') ?? faults[0];
  if (worst) {
    const more = faults.length - 1;
    const others = more > 0 ? ` Recordings of ${more} more ${more === 1 ? 'person' : 'people'} have a fault.` : '';
    return { status: 'failed', retryable: worst.status === 'interrupted', reason: `${worst.reason}${others}` };
  }
  const used = (await peopleUsed(sql, key)).length;
  if (used >= fewestPeople) return { status: 'ready', retryable: false, reason: null };
  const { progress } = await readPreparation(sql, key);
  if (!progress?.files.done) return stoppedBy(nothingThere(source, filesOf(set, runsOf(task))), about);
  return {
    status: 'required',
    retryable: false,
    reason:
      `${publicMessage(source.from)} holds recordings of every class of "${task.name}" for ${used} of ${peopleOf(set).length} people, ` +
      `and ${used === 1 ? 'one person is' : `${used} people are`} not enough: evidence comes from people who were ` +
      `left out and needs at least ${fewestPeople}.`,
  };
}

/** Deletes features of people who are no longer used, and features of outdated recordings. */
async function removeUnused(sql: Sql, objects: ObjectStore, key: ReferenceTaskKey): Promise<void> {
  const used = new Set((await peopleUsed(sql, key)).map(({ ref }) => ref));
  for (const { name } of await objects.list(objectPrefixes.referencePeople(key)))
    if (!used.has(name)) await objects.delete(name);
}
