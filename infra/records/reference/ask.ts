import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { dataSetOf, peopleOf } from '../../contract/reference/index.ts';
import { fewestPeople, type ReferenceFitRequest, type ReferenceTaskKey } from '../../contract/reference/preparation.ts';
import { inWholeSamples } from '../../contract/reference/whole-samples.ts';
import { startPreparation, startReferenceFit } from '../../drivers/temporal/reference-workflows.ts';
import { bytesOfTask, usualFitSeconds, usualSecondsPerByte } from './estimate.ts';
import { fitKeyOf, noteFitAsked, readFit, type StoredFit } from './fits.ts';
import { queueFit } from './queue-fit.ts';
import { markQueued, peopleUsed } from './prepare.ts';
import { readPreparation, type StoredPreparation } from './preparations.ts';

/** What asking for reference data needs. */
export interface AskDeps {
  readonly pool: pg.Pool;
  readonly client: Client;
  readonly taskQueue?: string | undefined;
  /** Whether recordings are read in a folder instead of being downloaded; the first estimate rests on it. */
  readonly inPlace?: boolean;
}

/** Who asks for a fit, when, and whether it is started where that is due. */
interface FitAsking {
  readonly at?: Date;
  readonly start?: boolean;
  readonly accountId?: string | null;
}

/**
 * When a task is started that was asked for: never, it is only looked at; where it is due; wherever it is not ready; or
 * always, because the source may hold more now.
 */
type StartWhen = 'never' | 'due' | 'unready' | 'always';

/**
 * How far a task is, after starting it where `when` has it: ten callers at once start one preparation. Never waits for
 * it. Throws a RangeError where the catalogue has no such task, and what Postgres and Temporal throw when they are away.
 */
export async function askForPreparation(
  { pool, client, taskQueue, inPlace = false }: AskDeps,
  key: ReferenceTaskKey,
  { at = new Date(), when = 'due' }: { readonly at?: Date; readonly when?: StartWhen } = {},
): Promise<StoredPreparation> {
  const before = await readPreparation(pool, key, at);
  if (!isStarted[when](before)) return before;
  const set = dataSetOf(key.set);
  const task = set.tasks.find(({ id }) => id === key.task);
  if (!task || set.version !== key.version)
    throw new RangeError(`There is no task "${key.task}" of ${key.set} ${key.version}.`);
  const expected = {
    secondsPerByte: usualSecondsPerByte(inPlace),
    bytes: bytesOfTask(set, task),
    people: peopleOf(set).length,
  };
  await markQueued(pool, key, expected, { again: when === 'always', at });
  await startPreparation(client, key, { taskQueue });
  return await readPreparation(pool, key, at);
}

/**
 * How far the fit for a shape of trials is, after starting it where that is due and allowed, and not too many are under
 * way, of all or of the account: whoever asks for another comes again. Refused where fewer people are prepared than
 * evidence rests on, which is so while their task is prepared again.
 */
export async function askForFit(
  { pool, client, taskQueue }: AskDeps,
  asked: Omit<ReferenceFitRequest, 'key'>,
  { at = new Date(), start = true, accountId = null }: FitAsking = {},
): Promise<StoredFit & { readonly key: string }> {
  const wanted = { ...asked, shape: inWholeSamples(asked.shape) };
  const people = await peopleUsed(pool, wanted);
  const key = fitKeyOf(wanted, people);
  if (people.length < fewestPeople) return { ...tooFew(people.length), key };
  await noteFitAsked(pool, key, at);
  const before = await readFit(pool, key, at);
  if (!before.due || !start) return { ...before, key };
  const request = { ...wanted, key };
  const usual = usualFitSeconds(people.length, wanted.shape.channelNames.length);
  if (!(await queueFit(pool, request, usual, at, accountId)))
    return { ...before, status: 'queued', retryable: true, reason: null, estimatedSeconds: 2 * usual, key };
  await startReferenceFit(client, request, { taskQueue });
  return { ...(await readFit(pool, key, at)), key };
}

const isStarted: Readonly<Record<StartWhen, (before: StoredPreparation) => boolean>> = {
  never: () => false,
  due: ({ due }) => due,
  unready: ({ status }) => status !== 'ready',
  always: () => true,
};

const tooFew = (people: number): StoredFit => ({
  status: 'failed',
  retryable: true,
  reason: `${people} people are prepared at present, and ${fewestPeople} are needed.`,
  estimatedSeconds: null,
  due: false,
  result: null,
});
