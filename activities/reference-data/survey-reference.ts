import { stat } from 'node:fs/promises';
import { ApplicationFailure } from '@temporalio/common';
import { filesOf, peopleOf, runsOf, type ReferenceFile } from '../../infra/contract/reference-data/data-sets.ts';
import type { ReferenceTaskKey } from '../../infra/contract/reference-data/preparation.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import { nothingThere } from '../../infra/recordings/reference-data/collect.ts';
import { usualSecondsPerByte } from '../../infra/records/reference-data/estimate.ts';
import { beginPreparation, type ExpectedPerson } from '../../infra/records/reference-data/prepare.ts';
import { readPreparation } from '../../infra/records/reference-data/preparations.ts';
import { withHeartbeats } from '../with-heartbeats.ts';
import type { Tools } from '../tools.ts';
import type { Activities, Survey } from '../activities.ts';
import { referenceJob } from '../attempts/reference-job.ts';
import { referenceOf, stoppedBy, type Reference } from './reference-of.ts';

/** Assumed size of a file if neither the publisher nor a folder gives it. */
const usualFileBytes = 5e6;

/** Lists the people whose recordings the source may have: those in a folder, or all people of a site. */
export function createSurveyReference(tools: Tools): Activities['surveyReference'] {
  return ({ key }) =>
    withHeartbeats((signal) => {
      const name = `survey/${key.set}/${key.version}/${key.task}`;
      return tools.attempt(referenceJob(name, givenUp), signal, () => survey(tools, key));
    });
}

function givenUp(): never {
  throw ApplicationFailure.nonRetryable('The survey of the recordings ended its process twice.', 'KilledItsProcess');
}

async function survey({ pool, reference }: Tools, key: ReferenceTaskKey): Promise<Survey> {
  const at = new Date();
  const about = referenceOf(reference, key);
  const { set, task, source } = about;
  const files = filesOf(set, runsOf(task));
  const people = source.inPlace ? await inFolder(source, files) : published(files);
  const expected = { people: peopleOf(set).length, secondsPerByte: usualSecondsPerByte(source.inPlace) };
  const begun = await transaction(pool, (sql) => beginPreparation(sql, key, people, expected, at));
  if (!begun) return await ended(pool, key);
  if (people.length === 0) return { found: 'nothing', stopped: stoppedBy(nothingThere(source, files), about) };
  return {
    found: 'people',
    people: people.map(({ person }) => person),
    files: people.reduce((sum, { files: count }) => sum + count, 0),
  };
}

/** A different execution, or a later attempt of this one, has ended or started the preparation in the meantime. */
async function ended(sql: Sql, key: ReferenceTaskKey): Promise<Survey> {
  const { status } = await readPreparation(sql, key);
  return { found: 'ended', status: status === 'ready' || status === 'required' ? status : 'failed' };
}

const published = (files: readonly ReferenceFile[]): ExpectedPerson[] =>
  byPerson(files.map(({ person, bytes }) => ({ person, bytes: bytes ?? usualFileBytes })));

async function inFolder({ pathOf }: Reference['source'], files: readonly ReferenceFile[]): Promise<ExpectedPerson[]> {
  const there: { person: string; bytes: number }[] = [];
  for (const file of files) {
    // A file that exists but cannot be read belongs to a person, so that the preparation reports it.
    const about = await stat(pathOf(file)).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ENOTDIR' ? null : { size: 0 },
    );
    if (about) there.push({ person: file.person, bytes: about.size });
  }
  return byPerson(there);
}

function byPerson(files: readonly { person: string; bytes: number }[]): ExpectedPerson[] {
  const people = new Map<string, { person: string; files: number; bytes: number }>();
  for (const { person, bytes } of files) {
    const before = people.get(person) ?? { person, files: 0, bytes: 0 };
    people.set(person, { person, files: before.files + 1, bytes: before.bytes + bytes });
  }
  return [...people.values()];
}
