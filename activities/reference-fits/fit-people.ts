import pLimit from 'p-limit';
import { ApplicationFailure } from '@temporalio/common';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { ReferenceFitRequest } from '../../infra/contract/reference-fits.ts';
import { ObjectDamaged, ObjectMissing } from '../../infra/drivers/objects/object-store.ts';
import { completeFit, endFit, fitKeyOf, readFit, recordFitProgress } from '../../infra/records/reference-fits/fits.ts';
import { peopleUsed, undoPreparation } from '../../infra/records/reference-data/prepare.ts';
import type { PersonFeatures } from '../../ml/reference-fits/types.ts';
import { withHeartbeats, type Report } from '../with-heartbeats.ts';
import type { PeopleFitted } from '../compute/reference-fit-tasks.ts';
import type { Tools } from '../tools.ts';
import type { Activities, PeopleFitEnded } from '../activities.ts';
import { referenceJob } from '../attempts/reference-job.ts';
import { referenceOf } from '../reference-data/reference-of.ts';

const progressEveryMs = 2_000;
/** Fits that run at once in one process. Each has up to 1.3 GB of features in memory. */
const fitsAtOnce = 2;
/** Fraction of a fit's time that goes into loading the people's objects. */
const loadingFraction = 0.2;

/** Fits a model on all people of a task for trials of one shape, and measures it on held-out people. */
export function createFitPeople(tools: Tools): Activities['fitPeople'] {
  const inTurn = createTurns(fitsAtOnce);
  return ({ request }) =>
    withHeartbeats((signal, report) => {
      const givenUp = (): Promise<PeopleFitEnded> =>
        failed(tools, request, false, 'The fit of these recordings ends the process that makes it.');
      const job = referenceJob(`reference-fit/${request.key}`, givenUp);
      return tools.attempt(job, signal, () => fit(tools, request, { inTurn, signal, report }));
    });
}

interface Running {
  readonly inTurn: ReturnType<typeof createTurns>;
  readonly signal: AbortSignal;
  readonly report: Report;
}

async function fit(
  tools: Tools,
  request: ReferenceFitRequest,
  { inTurn, signal, report }: Running,
): Promise<PeopleFitEnded> {
  const { pool, objects, compute, reference, reach, log } = tools;
  const { key, classes, shape } = request;
  const earlier = (await readFit(pool, key)).result;
  if (earlier) return { status: 'ready', reason: null, evidence: earlier.evidence };
  const { task } = referenceOf(reference, request);
  const used = await peopleUsed(pool, request);
  if (fitKeyOf(request, used) !== key)
    return await failed(tools, request, true, 'The people who are prepared have changed since it was asked for.');
  await recordFitProgress(pool, key, 0, new Date());
  await reach('reference-fit:before');
  const progress = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const fraction = new Float64Array(progress);
  let read = 0;
  const progressTimer = setInterval(() => {
    const done = (loadingFraction * read) / used.length + (1 - loadingFraction) * fraction[0];
    report({ people: used.length, done: Number(done.toFixed(2)) });
    recordFitProgress(pool, key, done, new Date()).catch(() => undefined);
  }, progressEveryMs);
  let fitted: PeopleFitted;
  try {
    const made = await inTurn(signal, async () => {
      const people: PersonFeatures[] = [];
      for (const { ref } of used) {
        const bytes = await objects.get(ref);
        people.push(
          await compute('openPerson', { bytes, names: shape.channelNames }, { signal, account: 'reference', job: key }),
        );
        read += 1;
      }
      return compute(
        'fitReference',
        { people, task: { kind: task.kind, classes }, shape, progress },
        { signal, account: 'reference', job: key },
      );
    });
    if ('unfit' in made) return await failed(tools, request, false, made.unfit);
    fitted = made;
  } catch (error) {
    if (error instanceof ObjectMissing) {
      if (error instanceof ObjectDamaged) await objects.delete(error.object);
      const reason = 'Features of people are gone and are made again.';
      await undoPreparation(pool, request, reason, new Date());
      return await failed(tools, request, true, reason);
    }
    if (!(error instanceof ApplicationFailure)) throw error;
    log?.error(`The fit ${key} of reference recordings failed.`, { error });
    return await failed(tools, request, false, 'These recordings could not be fitted by the service.');
  } finally {
    clearInterval(progressTimer);
  }
  const { bytes, pins, evidence } = fitted;
  const ref = objectNames.referenceFit(request, key);
  await objects.put(ref, bytes);
  await reach('reference-fit:after-object');
  if (!(await completeFit(pool, key, { ref, pins, evidence }, new Date()))) await objects.delete(ref);
  return { status: 'ready', reason: null, evidence };
}

async function failed(
  { pool }: Tools,
  { key }: ReferenceFitRequest,
  retryable: boolean,
  reason: string,
): Promise<PeopleFitEnded> {
  await endFit(pool, key, { retryable, reason }, new Date());
  return { status: 'failed', reason, evidence: null };
}

/** Records that the service could not make the fit now. */
export function createGiveUpPeopleFit({ pool }: Tools): Activities['giveUpPeopleFit'] {
  return ({ key, reason }) => withHeartbeats(() => endFit(pool, key, { retryable: true, reason }, new Date()));
}

/** Runs at most `count` functions at a time, in order of arrival. Rejects at once when its signal aborts. */
export function createTurns(count: number) {
  const limit = pLimit(count);
  return async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const turn = limit(async () => {
      signal.throwIfAborted();
      signal.removeEventListener('abort', abort);
      return await work();
    });
    return await Promise.race([turn, aborted]);
  };
}
