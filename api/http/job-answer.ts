import { publicJobId } from '../../infra/contract/job-id.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { modelNotFound } from '../../infra/contract/model-not-found.ts';
import { readJob, type StoredJob } from '../../infra/records/fit-jobs/read-job.ts';
import { readProgress, type CandidateProgress } from '../../infra/records/task-models/progress.ts';
import type { Job } from '../contract/job.ts';
import type { ApiDeps } from '../deps.ts';
import { answerOf, type Answer } from './answer.ts';
import type { AsyncPreference } from './prefer.ts';
import type { Caller } from './request.ts';

type Owner = Pick<Caller, 'accountId' | 'mode'>;

/** Seconds between two reads of a job: a tenth of the fit, within these bounds. */
const pollSeconds = { least: 1, most: 15 } as const;

const progressIn = (candidates: readonly CandidateProgress[]): Job['progress'] => ({
  candidates_scored: candidates.filter(({ status }) => status === 'scored').length,
  candidates: candidates.map(({ method, title, status, balancedAccuracy }) => ({
    method,
    title,
    status,
    balanced_accuracy: balancedAccuracy,
  })),
});

/** Progress of a running fit, for `details.progress` of a 409. */
export const progressOf = async ({ pool }: Pick<ApiDeps, 'pool'>, jobId: string): Promise<Job['progress']> =>
  progressIn(await readProgress(pool, jobId));

/** Whether an error answer is that of a job that its account cancelled. */
const isCancelled = (error: Job['error']): boolean => error?.details['cancelled'] === true;

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** A job as an answer. */
function jobResource({ request, createdAt, begun, finishedAt, status, body, candidates }: StoredJob): Job {
  const fitted = status !== null && status < 300;
  const ended: unknown = body === null ? null : JSON.parse(body);
  const error = (fitted ? null : ended) as Job['error'];
  return {
    object: 'job',
    id: publicJobId(request.jobId),
    operation: 'batches' in request.source ? 'fit' : 'create',
    status:
      status === null
        ? begun
          ? 'running'
          : 'queued'
        : fitted
          ? 'succeeded'
          : isCancelled(error)
            ? 'cancelled'
            : 'failed',
    test: request.mode === 'test',
    task_model_id: request.modelId,
    created: seconds(createdAt),
    finished: finishedAt && seconds(finishedAt),
    fit_seconds: Math.max(1, Math.ceil(request.cpuSeconds)),
    progress: progressIn(candidates),
    task_model: (fitted ? ended : null) as Job['task_model'],
    error,
  };
}

/** The error for a job that does not exist for this caller. */
const noSuchJob = (id: string): ApiError =>
  new ApiError('NOT_FOUND', `There is no job ${id} on the account that this key can see.`, { field: 'job_id' });

/** The job of the caller. Throws NOT_FOUND; CLASSIFIER_NOT_FOUND if its answer was erased with its model. */
export async function requireJob({ pool }: Pick<ApiDeps, 'pool'>, owner: Owner, jobId: string): Promise<StoredJob> {
  const job = await readJob(pool, { accountId: owner.accountId, mode: owner.mode, jobId });
  if (!job) throw noSuchJob(publicJobId(jobId));
  if (job.erasedWith) throw modelNotFound(job.request.modelId, job.erasedWith);
  return job;
}

/** The 200 with a job. While it runs, Retry-After says when to read it again. */
export function readAnswer(job: StoredJob): Answer {
  const resource = jobResource(job);
  const wait = Math.min(pollSeconds.most, Math.max(pollSeconds.least, Math.round(resource.fit_seconds / 10)));
  return { ...answerOf(200, resource), ...(job.status === null ? { retryAfterSeconds: wait } : {}) };
}

/** The 202 with the job of a request that prefers it to a long wait. It is never stored. */
export async function jobAnswer(
  deps: Pick<ApiDeps, 'pool'>,
  owner: Owner,
  jobId: string,
  { applied }: AsyncPreference,
): Promise<Answer> {
  const { retryAfterSeconds = pollSeconds.least, body } = readAnswer(await requireJob(deps, owner, jobId));
  const location = `/v1/jobs/${publicJobId(jobId)}`;
  return { status: 202, body, retryAfterSeconds, location, preferenceApplied: applied };
}
