import type { ReferenceTaskKey } from '../../infra/contract/reference-data/preparation.ts';
import type { Sql } from '../../infra/drivers/postgres/transaction.ts';
import {
  beginPreparation,
  endPreparation,
  markQueued,
  recordPerson,
} from '../../infra/records/reference-data/prepare.ts';

/** A task that is ready, with the features of so many people; `made` names what they were made of. */
export async function storePeople(sql: Sql, key: ReferenceTaskKey, count: number, at: Date, made = ''): Promise<void> {
  const people = Array.from({ length: count }, (_, i) => ({ person: `S00${i + 1}`, files: 1, bytes: 1 }));
  const expected = { people: 105, secondsPerByte: 1, bytes: 1 };
  await markQueued(sql, key, expected, { again: true, at });
  await beginPreparation(sql, key, people, expected, at);
  for (const { person } of people) {
    const found = { status: 'used', ref: `reference/${person}${made}`, own: false, reason: null } as const;
    await recordPerson(sql, key, person, { ...found, files: 1, bytes: 1, seconds: 1 }, at);
  }
  await endPreparation(sql, key, { status: 'ready', retryable: false, reason: null }, at);
}
