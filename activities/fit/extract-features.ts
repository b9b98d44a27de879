import { featureNamesOf } from '../../infra/records/task-models/batches.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { answerOf, ignoredClassesOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { forgetFit } from '../../infra/records/reference-fits/fits.ts';
import { ObjectMissing } from '../../infra/drivers/objects/object-store.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import type { JobData } from '../compute/job-data.ts';
import { extractInParts } from '../compute/extract-in-parts.ts';
import { mergeInParts } from '../compute/merge-in-parts.ts';
import type { ReferenceFitOrReason } from '../compute/reference-fit-prior.ts';
import { deleteStaged } from '../lifecycle/clean-up.ts';
import type { Tools } from '../tools.ts';
import { finalFailure } from './final-failure.ts';
import { reasonSentence } from '../../ml/reason-sentences.ts';
import { isCompared } from '../../ml/reference-fits/without-recognised.ts';

export interface JobFeatures {
  readonly data: JobData;
  /** An earlier attempt stored the features, and its scores were computed from them. */
  readonly found: boolean;
  /** Resolves when the features are stored and the staged signal is deleted. Idempotent. */
  readonly store: () => Promise<void>;
}

/**
 * Extracts the features of the job from its staged signal or its stored batches. The caller stores them with `store`.
 */
export async function extractFeatures(tools: Tools, request: FitRequest, signal: AbortSignal): Promise<JobFeatures> {
  const { objects, compute, reach } = tools;
  const ref = objectNames.features(request);
  const isStored = async (): Promise<boolean> => (await objects.list(ref)).some(({ name }) => name === ref);
  let made: JobData | null = null;
  if (!(await isStored())) {
    await reach('extract:before-features');
    made = await extract(tools, request, signal).catch(async (error: unknown) => {
      // An earlier attempt, which was thought dead, may have stored them and deleted the signal.
      if (signal.aborted || !(await isStored())) throw error;
      return null;
    });
  }
  const store = async (): Promise<void> => {
    if (made) {
      await objects.put(ref, await compute('pack', { data: made }, { signal, first: true }));
      await reach('extract:after-features');
    }
    await deleteStaged(tools, request);
    await reach('extract:after-staged-deleted');
  };
  const data = made ?? (await compute('open', { bytes: await objects.get(ref) }, { signal }));
  return { data, found: made === null, store };
}

async function extract(tools: Tools, request: FitRequest, signal: AbortSignal): Promise<JobData> {
  const { objects, pool, compute, threads } = tools;
  const { source, modelId, jobId } = request;
  const [stored, answer] = await Promise.all([readStored(pool, modelId), answerOf(pool, jobId)]);
  const status = stored?.status;
  if (answer) throw ended(modelId, 'no longer waiting for this job');
  if (status !== 'fitting' && status !== 'collecting') throw ended(modelId, status ?? 'gone');
  /** Without anything that was learned from the trials themselves. */
  const compared = async (data: JobData): Promise<JobData> =>
    isCompared(data.training) ? compute('compareWithPeople', { data }, { signal }) : data;
  if ('staged' in source) {
    const staged = await objects.get(source.staged).catch((error: unknown) => {
      throw error instanceof ObjectMissing
        ? finalFailure({
            code: 'BACKEND_FAILURE',
            message: 'The staged trials are gone; nothing was charged. Send the request again.',
          })
        : error;
    });
    const referenceFit = await readReferenceFit(tools, request);
    return compared(await extractInParts(compute, threads.size, staged, request, signal, referenceFit));
  }
  const [names, ignored, referenceFit] = await Promise.all([
    featureNamesOf(pool, modelId),
    ignoredClassesOf(pool, jobId),
    readReferenceFit(tools, request),
  ]);
  return compared(await mergeInParts(tools, names, request, signal, { referenceFit, ignored }));
}

/**
 * The fit on recordings of other people; null if none was planned. If the object is missing, the job continues without
 * the candidates that need it, and the next request has it fitted again.
 */
async function readReferenceFit(
  { objects, pool }: Pick<Tools, 'objects' | 'pool'>,
  { reference }: FitRequest,
): Promise<ReferenceFitOrReason | null> {
  if (!reference) return null;
  const { ref, classes } = reference;
  try {
    return { bytes: await objects.get(ref), classes };
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error;
    await forgetFit(pool, ref);
    return { missing: reasonSentence('other_people_removed', {}) };
  }
}

const ended = (modelId: string, status: string): Error =>
  finalFailure({ code: 'CLASSIFIER_NOT_FOUND', message: `${modelId} is ${status}; it was not fitted.` });
