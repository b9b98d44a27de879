import { errorFrom } from './errors.ts';
import { wait } from './retries.ts';
import type { Reply, RequestOptions, OutgoingRequest, Send } from './transport.ts';
import type { Job, TaskModel } from './schema-types.ts';

/** The service answers fits up to this many seconds directly, and longer ones with a job. */
const patienceSeconds = 30;
/** Seconds between two reads of a job, if the service names none. */
const pollSeconds = 5;

const isJob = (body: object): body is Job => (body as Partial<Job>).object === 'job';

/**
 * Sends a create or a fit. One that takes long is answered with a job, which is read until it has ended: no connection
 * stays open longer than a proxy allows. Throws the error of the job if it has failed.
 */
export async function sendFit<T extends object>(
  send: Send,
  request: OutgoingRequest,
  options: RequestOptions = {},
): Promise<Reply<T>> {
  const prefer = `respond-async, wait=${patienceSeconds}`;
  const reply = await send<T | Job>({ ...request, idempotent: true, prefer }, options);
  if (!isJob(reply.body)) return reply as Reply<T>;
  let { body: job, retryAfter }: Reply<Job> = { ...reply, body: reply.body };
  while (job.task_model === null && job.error === null) {
    await wait(retryAfter ?? pollSeconds, options.signal);
    ({ body: job, retryAfter } = await send<Job>(
      { method: 'GET', path: `/v1/jobs/${job.id}` },
      { signal: options.signal },
    ));
  }
  if (job.error) throw errorFrom(job.error);
  const status = job.operation === 'create' ? 201 : 200;
  return { status, body: job.task_model as TaskModel as T, retryAfter: null };
}
