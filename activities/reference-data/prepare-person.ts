import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { objectNames } from '../../infra/contract/object-names.ts';
import { filesOf, runsOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { ReferenceTask } from '../../infra/contract/reference-data/data-set-schema.ts';
import type { ReferenceTaskKey } from '../../infra/contract/reference-data/preparation.ts';
import { collectInPart, type CollectedInPart } from '../../infra/recordings/reference-data/collect.ts';
import { ReferenceFault } from '../../infra/recordings/reference-data/fault.ts';
import type { LocalFile } from '../../infra/recordings/reference-data/source.ts';
import {
  beginPerson,
  recordPerson,
  recordPersonProgress,
  type PersonRow,
} from '../../infra/records/reference-data/prepare.ts';
import { withHeartbeats, type Report } from '../with-heartbeats.ts';
import type { PersonRead } from '../compute/reference-data-tasks.ts';
import type { Tools } from '../tools.ts';
import type { Activities, PreparedPerson } from '../activities.ts';
import { referenceJob } from '../attempts/reference-job.ts';
import { referenceOf, stoppedBy, type Reference } from './reference-of.ts';

/** Files of one person that are downloaded at the same time. */
const filesAtOnce = 2;

type Found = Pick<PersonRow, 'status' | 'ref' | 'reason'> & { readonly computed: boolean };

/**
 * Prepares one person: downloads and checks the recordings, and stores their features, unless features of the same
 * recordings are already stored. If a file cannot be used, the preparation ends as `failed` after the other people. A
 * fault that affects every file ends it at once.
 */
export function createPreparePerson(tools: Tools): Activities['preparePerson'] {
  return ({ key, person }) =>
    withHeartbeats((signal, report) => {
      const givenUp = async (): Promise<PreparedPerson> => {
        const reason = `The recordings of ${person} end the process that reads them.`;
        await recordPerson(tools.pool, key, person, { ...unread, reason }, new Date());
        return { status: 'faulty', files: 0, bytes: 0, reason };
      };
      const name = `person/${key.set}/${key.version}/${key.task}/${person}`;
      return tools.attempt(referenceJob(name, givenUp), signal, () => prepare(tools, { key, person }, signal, report));
    });
}

const unread = { status: 'faulty', ref: null, own: false, files: 0, bytes: 0, seconds: null } as const;

async function prepare(
  tools: Tools,
  { key, person }: { readonly key: ReferenceTaskKey; readonly person: string },
  signal: AbortSignal,
  report: Report,
): Promise<PreparedPerson> {
  const { pool, reference, reach } = tools;
  const begun = performance.now();
  const about = referenceOf(reference, key);
  const files = filesOf(about.set, runsOf(about.task), new Set([person]));
  const here = { files: 0, bytes: 0 };
  await beginPerson(pool, key, person, new Date());
  await reach('person:before-download');
  const progress = paced(async () => {
    await recordPersonProgress(pool, key, person, here, new Date());
    if (here.bytes > 0) await reach('person:during-download');
  });
  let collected: CollectedInPart;
  try {
    collected = await collectInPart(about.source, files, {
      signal,
      parallel: filesAtOnce,
      onProgress(soFar) {
        Object.assign(here, soFar);
        report({ person, ...here });
        progress.soon();
      },
    });
  } catch (error) {
    if (error instanceof ReferenceFault) return { status: 'stopped', stopped: stoppedBy(error, about) };
    throw error;
  } finally {
    await progress.end();
  }
  const { present } = collected;
  const { computed, ...found } = await readPerson(tools, key, about, person, collected, signal);
  const row: PersonRow = {
    ...found,
    own: found.status === 'used' && present.some(({ published }) => !published),
    files: present.length,
    bytes: here.bytes,
    seconds: computed ? (performance.now() - begun) / 1000 : null,
  };
  await recordPerson(pool, key, person, row, new Date());
  return { status: found.status, files: row.files, bytes: row.bytes, reason: found.reason };
}

/** Reads a person's recordings and decides whether they can be used. */
async function readPerson(
  { objects, compute, reach }: Tools,
  key: ReferenceTaskKey,
  { set, task, publicMessage }: Reference,
  person: string,
  { present, faults }: CollectedInPart,
  signal: AbortSignal,
): Promise<Found> {
  const nothing = { ref: null, reason: null, computed: false };
  const fault = faults.find(({ retryable }) => !retryable) ?? faults[0];
  if (fault)
    return { ...nothing, status: fault.retryable ? 'interrupted' : 'faulty', reason: publicMessage(fault.message) };
  if (present.length === 0) return { ...nothing, status: 'missing' };
  if (!hasEveryClass(task, present)) return { ...nothing, status: 'part' };
  const ref = objectNames.referencePerson(key, person, recordingsHash(present));
  const earlier = (await objects.list(ref)).some(({ name }) => name === ref);
  if (earlier) return { ...nothing, status: 'used', ref };
  await reach('person:before-features');
  const { name, electrodes, rateHz } = set;
  const files = present.map(({ at, run, published }) => ({ at, run, person, published }));
  const read = await compute(
    'person',
    { person, set: { name, electrodes, rateHz }, task, files },
    { signal, account: 'reference', job: ref },
  ).catch((error: unknown): PersonRead => {
    if (!(error instanceof ApplicationFailure)) throw error;
    return { fault: `The recordings of ${person} could not be read by the service.` };
  });
  if ('fault' in read) return { status: 'faulty', ref: null, reason: publicMessage(read.fault), computed: true };
  if (task.classes.some(({ id }) => !read.classIds.includes(id)))
    return { status: 'part', ref: null, reason: null, computed: true };
  await objects.put(ref, read.bytes);
  await reach('person:after-features');
  return { status: 'used', ref, reason: null, computed: true };
}

/** Whether the files that are present could contain every class. */
const hasEveryClass = ({ classes }: ReferenceTask, held: readonly LocalFile[]): boolean =>
  classes.every(({ takes }) => takes.some(({ runs }) => held.some(({ run }) => runs.includes(run))));

/** Fingerprint of the recordings from which features are extracted. */
function recordingsHash(held: readonly LocalFile[]): string {
  const hash = createHash('sha256');
  for (const { run, content } of held) hash.update(`${run} ${content}\n`);
  return hash.digest('hex').slice(0, 24);
}

const pauseMs = 1_000;

/**
 * Runs `work` at most once a second after calls of `soon`, one run at a time. `end` throws the error of a failed run.
 */
function paced(work: () => Promise<void>): { soon(): void; end(): Promise<void> } {
  let running = Promise.resolve();
  let busy = false;
  let last = Number.NEGATIVE_INFINITY;
  return {
    soon() {
      if (busy || performance.now() - last < pauseMs) return;
      busy = true;
      last = performance.now();
      running = running.then(work).finally(() => (busy = false));
      running.catch(() => undefined);
    },
    end: () => running,
  };
}
