import type { ZeroShotRequest } from '../contract/requests.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { RequestContext } from '../http/request.ts';
import type { IntakeAccepted } from '../intake/intake.ts';
import { createDeferred } from './create-deferred.ts';
import { createFitted } from './create-fitted.ts';
import { planCreate, type SentCreate } from './create-input.ts';
import { estimateCreate } from './estimate.ts';
import { joinedJob } from './joined-job.ts';
import { runJob } from './run-job.ts';
import { createZeroShot } from './zero-shot/create.ts';
import { estimateZeroShot } from './zero-shot/estimate.ts';
import { readZeroShotTask } from './zero-shot/read-zero-shot-task.ts';

const isZeroShot = (envelope: object): envelope is ZeroShotRequest => 'mode' in envelope;

/**
 * A create: an estimate (`dry_run`), the first batch of a deferred fit (`defer_fit`), or an immediate fit. The estimate
 * and the immediate fit also exist without trials (`mode: "zero_shot"`). If an earlier request with the same key
 * started a job and its process died, joins that job.
 */
export async function create(
  deps: ApiDeps,
  context: RequestContext,
  intake: IntakeAccepted,
  ticket: Ticket,
): Promise<Answer> {
  const { envelope } = intake;
  const joined = await joinedJob(deps, ticket);
  if (joined) return runJob(deps, context, joined, ticket);
  if (isZeroShot(envelope)) {
    const task = await readZeroShotTask(deps, context, intake);
    return envelope.dry_run ? estimateZeroShot(deps, task, ticket) : createZeroShot(deps, task, ticket);
  }
  const sent = envelope as SentCreate;
  const { dry_run: isEstimate, defer_fit: isDeferred } = sent;
  if (!isEstimate && !isDeferred) return createFitted(deps, context, sent, intake, ticket);
  const input = await planCreate(deps, context, sent, intake);
  return isEstimate ? estimateCreate(deps, input, ticket) : createDeferred(deps, input, ticket);
}
