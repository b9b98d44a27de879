import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { jobIdOf } from '../../infra/contract/job-id.ts';
import { limits } from '../../infra/contract/limits.ts';
import { brief } from '../../infra/contract/quote.ts';
import { job } from '../contract/job.ts';
import { jobPath, permissions, smallBody } from '../contract/operation.ts';
import { sendAnswer } from '../http/answer.ts';
import { readAnswer, requireJob } from '../http/job-answer.ts';
import { callerOf } from '../http/request.ts';
import { cancelJob } from '../use-cases/cancel-job.ts';
import type { Route } from './route.ts';

/** The job in the path. Throws NOT_FOUND for a text that is no id. */
function jobIn({ params }: FastifyRequest): string {
  const { job_id: id } = params as { job_id: string };
  const jobId = jobIdOf(id);
  if (jobId !== null) return jobId;
  throw new ApiError('NOT_FOUND', `There is no job ${brief(id, 60)}; an id is \`job_\` and 32 hexadecimal digits.`, {
    field: 'job_id',
  });
}

export const getJob: Route = {
  operation: {
    id: 'getJob',
    method: 'get',
    path: jobPath,
    tag: 'Jobs',
    summary: 'Read a job',
    description:
      'Progress of a create or fit that was answered 202 (`Prefer: respond-async`), then its task model or its error. ' +
      `Readable by every key of the account and mode for ${limits.jobDays} days after its end, and no longer than its model.`,
    scopes: permissions.read,
    endpoint: 'jobs.read',
    answers: { 200: { schema: job, words: 'The job. While it runs, Retry-After says when to read it again.' } },
    errors: ['NOT_FOUND', 'CLASSIFIER_NOT_FOUND'],
  },
  handle: (deps) => async (request, reply) =>
    sendAnswer(reply, request, readAnswer(await requireJob(deps, callerOf(request), jobIn(request)))),
};

export const cancelRunningJob: Route = {
  operation: {
    id: 'cancelJob',
    method: 'post',
    path: `${jobPath}/cancel`,
    tag: 'Jobs',
    summary: 'Cancel a job',
    description:
      'Ends a job that runs; nothing is charged then, and its credit is free again. A job that has ended keeps its ' +
      'answer, and its model if it has one. Cancelling again answers the same.',
    whileSuspended: true,
    scopes: permissions.use,
    endpoint: 'jobs.cancel',
    bodyBytes: smallBody,
    answers: { 200: { schema: job, words: 'The job: cancelled, or as it had ended before.' } },
    errors: ['NOT_FOUND', 'CLASSIFIER_NOT_FOUND', 'INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'],
  },
  handle: (deps) => async (request, reply) =>
    sendAnswer(reply, request, await cancelJob(deps, callerOf(request), jobIn(request))),
};
