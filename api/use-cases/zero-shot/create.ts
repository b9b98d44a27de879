import { randomUUID } from 'node:crypto';
import { assertAffordable } from '../../../infra/records/ledger/charges.ts';
import { createCost } from '../../../infra/records/ledger/holds.ts';
import { fitObjectExists } from '../../../infra/records/reference-fits/fits.ts';
import { insertFitting } from '../../../infra/records/task-models/models.ts';
import { ApiError } from '../../../infra/contract/errors.ts';
import { invalidField } from '../../../infra/contract/invalid-request.ts';
import { limits } from '../../../infra/contract/limits.ts';
import { isStopped } from '../../../infra/contract/reference-data/preparation.ts';
import type { PreparationAnswer } from '../../../infra/contract/reference-evidence.ts';
import { inWholeSamples, type ReferenceFitResult } from '../../../infra/contract/reference-fits.ts';
import type { SignalReport } from '../../../infra/contract/task-model.ts';
import type { Preparing } from '../../contract/responses.ts';
import type { ApiDeps } from '../../deps.ts';
import { answerOf, type Answer } from '../../http/answer.ts';
import type { Ticket } from '../../http/idempotency.ts';
import { beginJob, requireRoomForFit } from '../begin-job.ts';
import { newModelId } from '../new-model.ts';
import { runJob } from '../run-job.ts';
import { beginCounted } from './begin.ts';
import { evidenceAnswer, requireEvidence } from './evidence.ts';
import { classIdsOf, explanationOf, referenceClassesOf, type ReferenceTarget } from './mapping.ts';
import { evidenceWarnings } from './notes.ts';
import type { ZeroShotInput } from './read-zero-shot-task.ts';
import type { FitAvailability, NetworkResult } from './fit-availability.ts';
import { zeroShotAvailability } from './zero-shot-availability.ts';

/** Trials come only with predictions. Until then this is all that is known of the signal. */
function signalOf({ shape, renamed, envelope, warnings }: ZeroShotInput): SignalReport {
  return {
    sampling_rate_hz: envelope.sampling_rate_hz,
    resampled_to_hz: limits.workingRateHz,
    trials: 0,
    channels: shape.channelNames.length,
    samples_per_trial: Math.round(shape.seconds * envelope.sampling_rate_hz),
    seconds_per_trial: shape.seconds,
    units: 'uV',
    renamed_channels: renamed,
    warnings,
  };
}

/** The row of the model, with the evidence at the time of its creation. */
function newZeroShotModel(
  input: ZeroShotInput,
  id: string,
  { fit, people }: Extract<FitAvailability, { ready: true }>,
) {
  const { context, envelope, target, shape, expiresAt } = input;
  const { accountId, mode, at } = context.caller;
  return {
    id,
    accountId,
    mode,
    name: envelope.name,
    description: envelope.description,
    taskKind: target.task.kind,
    classes: Object.keys(target.mapping),
    channels: shape.channelNames,
    signal: signalOf(input),
    reference: {
      classes: referenceClassesOf(target),
      explanation: explanationOf(target),
      evidence: evidenceAnswer(fit.evidence, target, people),
    },
    expiresAt,
    at,
  };
}

const draftOf = (input: ZeroShotInput, modelId: string, fit: ReferenceFitResult | NetworkResult) => ({
  modelId,
  jobId: randomUUID(),
  taskKind: input.target.task.kind,
  source: 'ref' in fit ? { reference: fit.ref } : { network: networkOf(input) },
  candidates: [],
  skipped: [],
  bytes: 0,
  cpuSeconds: 0,
  featureSets: [],
  warnings: [...input.warnings, ...evidenceWarnings(fit.evidence)],
});

const networkOf = ({ target, shape }: ZeroShotInput) => ({
  task: target.task.id,
  classes: classIdsOf(target),
  shape: inWholeSamples(shape),
});

const unreviewed = (): ApiError =>
  invalidField(
    'reference_classes',
    'reference_classes is missing. Send the same request with `dry_run: true` first, review `explanation`, then create ' +
      'with the `reference_classes` that it returned, unchanged.',
    [{ dry_run: true }],
  );

/** The error for recordings that will not become ready by themselves. 202 is only for those that will. */
const neverReady = ({ set, task }: ReferenceTarget, { status, reason }: PreparationAnswer): ApiError =>
  new ApiError(
    'NO_REFERENCE_DATA',
    `The reference recordings "${task.name}" of ${set.name} cannot be prepared` +
      `${reason ? `: ${reason.replace(/[.\s]+$/, '')}` : ''}. Nothing was charged. Ask the operator to put the ` +
      `recordings in place and to run \`npm run reference -- prepare ${set.id} --task ${task.id}\`. Then estimate again, ` +
      'or send labelled trials of your own.',
    { details: { preparation: { status, retryable: false } } },
  );

/**
 * Creates a model without the caller's trials. It hosts the fit on reference recordings that the estimate described,
 * and is charged like any create. While the fit is not ready, the answer is 202, nothing is stored or charged, and the
 * key is free for the same request. The request counts against the daily allowance of estimates, together with its
 * estimate once. Throws INVALID_REQUEST without the mapping that the estimate returned, and
 * NO_REFERENCE_DATA if the recordings cannot become ready without the operator.
 */
export async function createZeroShot(deps: ApiDeps, input: ZeroShotInput, ticket: Ticket): Promise<Answer> {
  const { context, envelope, target } = input;
  const { accountId, mode, at } = context.caller;
  await assertAffordable(deps.pool, { accountId, mode, amount: createCost, at });
  await requireRoomForFit(deps.pool, { accountId, mode, at });
  const look = (): Promise<FitAvailability> => zeroShotAvailability(deps, input, { accountId, at, start: false });
  const first = await look();
  const isGone = first.ready && 'ref' in first.fit && !(await fitObjectExists(deps, first.fit));
  const seen = isGone ? await look() : first;
  const availability = seen.ready ? seen : (await beginCounted(deps, input, seen)).availability;
  if (!availability.ready) {
    const { preparation, retryAfterSeconds } = availability;
    if (isStopped(preparation.status) && !preparation.retryable) throw neverReady(target, preparation);
    await ticket.release();
    return {
      ...answerOf(202, { object: 'task_model.preparing', preparation } satisfies Preparing),
      retryAfterSeconds,
    };
  }
  if (envelope.reference_classes === null) throw unreviewed();
  requireEvidence(availability.fit.evidence, target);
  const modelId = newModelId();
  const job = await beginJob(deps, context, draftOf(input, modelId, availability.fit), ticket, (sql) =>
    insertFitting(sql, newZeroShotModel(input, modelId, availability)),
  );
  context.releaseBody();
  return runJob(deps, context, job, ticket);
}
