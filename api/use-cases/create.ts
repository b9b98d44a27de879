import { ApiError } from '../../infra/contract/errors.ts';
import type { ZeroShotRequest } from '../contract/requests.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { Asked } from '../http/request.ts';
import type { IntakeAccepted } from '../threads/intake.ts';
import { joinedJob } from './begin-job.ts';
import { createDeferred } from './create-deferred.ts';
import { createFitted } from './create-fitted.ts';
import { planCreate } from './create-input.ts';
import { estimateCreate } from './estimate.ts';
import { runJob } from './run-job.ts';

const isZeroShot = (envelope: object): envelope is ZeroShotRequest => 'mode' in envelope;

const noReferenceData = ({ description, classes }: ZeroShotRequest): ApiError =>
  new ApiError(
    'NO_REFERENCE_DATA',
    `No reference recordings are installed for "${description}"${classes ? ` (${classes.length} classes)` : ''}. ` +
      'Send labelled trials of your own instead.',
    { field: 'description' },
  );

/**
 * A create: an estimate (`dry_run`), the first batch of a deferred fit (`defer_fit`), or an immediate fit. A job that an
 * earlier request with the same key began, and whose process died, is joined.
 */
export async function create(deps: ApiDeps, asked: Asked, intake: IntakeAccepted, ticket: Ticket): Promise<Answer> {
  const { envelope } = intake;
  if (isZeroShot(envelope)) {
    await deps.threads.refuse(asked.caller.accountId, {
      description: envelope.description,
      labels: envelope.classes ?? [],
    });
    throw noReferenceData(envelope);
  }
  const joined = await joinedJob(deps, ticket);
  if (joined) return runJob(deps, asked.usage, joined, ticket);
  const input = await planCreate(deps, asked, intake);
  if (input.create.dry_run) return estimateCreate(deps, input, ticket);
  return input.create.defer_fit ? createDeferred(deps, input, ticket) : createFitted(deps, input, ticket);
}
