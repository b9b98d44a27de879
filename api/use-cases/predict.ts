import { randomUUID } from 'node:crypto';
import { hostingIsDue, payDueHosting } from '../../infra/records/task-models/hosting.ts';
import { assertWindows, charge } from '../../infra/records/ledger/charges.ts';
import { chargePrediction, type Charged } from '../../infra/records/ledger/predictions.ts';
import type { ChargeQueue } from '../../infra/records/ledger/charge-queue.ts';
import { dryRun, transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import { isStoreUnavailable } from '../../infra/drivers/objects/bytes.ts';
import { ThreadLost, unpackError } from '../../infra/drivers/threads/messages.ts';
import { answersFull } from '../../infra/records/quotas/stored-answers.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { modelNotFound } from '../../infra/contract/model-not-found.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import { requireAwaited, takenOver, type Ticket } from '../http/idempotency.ts';
import type { BodyRead } from '../http/read-body.ts';
import type { RequestContext, Caller } from '../http/request.ts';
import type { Answered } from '../predict/predict.ts';
import { predictTaskOf } from '../predict/predict-task.ts';
import { requireAnswerable } from './answer-size.ts';
import { requireWindowFunds, windowsCost, microUsdOf } from './charge.ts';
import { lookUp, requireLiving } from './find-model.ts';
import { requireSameChannels } from './require-same-channels.ts';
import { withObjects } from './with-objects.ts';
import { unalignedNote } from './zero-shot/notes.ts';

/** Dependencies that include the queue of charges. */
type Charging = ApiDeps & { readonly charges: ChargeQueue };

function requireFitted({ id, status, modelRef }: TaskModelRecord): string {
  if (status === 'active') return modelRef!;
  throw invalidField(
    'model_id',
    `The task model ${id} is ${status}: call POST /v1/task-models/${id}/fit before predicting.`,
  );
}

/**
 * Any other error of the model's thread is the service's fault and is not charged, unless the model has ended in the
 * meantime. A lost thread and an unreachable store are not faults of the model.
 */
async function modelFault({ pool }: ApiDeps, caller: Caller, id: string, cause: unknown): Promise<never> {
  if (cause instanceof ApiError || cause instanceof ThreadLost || isStoreUnavailable(cause)) throw cause;
  requireLiving(await lookUp(pool, caller, id), id, caller.at);
  throw new ApiError(
    'BACKEND_FAILURE',
    'The model failed on the service side; nothing was charged. Send the request again.',
    { cause },
  );
}

/** Throws the error that paying for the prediction and for due hosting would throw now, before anything is computed. */
async function requireFunds({ pool }: ApiDeps, caller: Caller, record: TaskModelRecord, windows: number) {
  const { id, accountId, mode } = record;
  if (!hostingIsDue(record, caller.at)) return requireWindowFunds(pool, caller, windows);
  await dryRun(pool, async (sql) => {
    await payDueHosting(sql, id, caller.at);
    await charge(sql, { accountId, mode, modelId: id, kind: 'task_models.predict', windows, at: caller.at });
  });
}

/**
 * The lease of a smaller answer ends with its charge. The lease of a larger answer ends when the socket has taken it.
 */
const smallAnswerBytes = 65_536;

interface Computed {
  readonly record: TaskModelRecord;
  readonly windows: number;
  readonly answer: Answer;
}

/**
 * Charges the windows, counts the request and stores its answer, in one round trip that several predictions may use
 * together. Due hosting is paid in the same transaction as the windows. If the charge is rejected, throws the reason
 * and charges nothing.
 */
async function pay(
  deps: Charging,
  { caller, usage, requestId }: RequestContext,
  { record, windows, answer, ref }: Computed & { readonly ref?: string },
  ticket: Ticket,
): Promise<void> {
  const { accountId, mode, at, keyId, leaseId } = caller;
  const payer = { accountId, mode, endpoint: usage.endpoint };
  const prediction = {
    modelId: record.id,
    windows,
    at,
    requestId,
    keyId,
    leaseId,
    endsLease: Buffer.byteLength(answer.body) <= smallAnswerBytes,
    answer: ticket.key === null ? null : { key: ticket.key, hash: ticket.hash, body: answer.body, ...(ref && { ref }) },
  };
  /** Throws if the charge failed. Returns whether the request's lease has ended with the charge. */
  const requireCharged = async (sql: Sql, { outcome, leaseEnded }: Charged): Promise<boolean> => {
    if (outcome === 'lost') throw takenOver();
    if (outcome === 'full') throw await answersFull(sql, { accountId, at }, Buffer.byteLength(answer.body));
    if (outcome === 'ended')
      throw modelNotFound(record.id, (await lookUp(sql, caller, record.id))?.status ?? 'deleted');
    if (outcome !== 'charged') {
      await assertWindows(sql, { accountId, mode, windows, at });
      throw new ApiError('BILLING_UNAVAILABLE', 'The balance changed meanwhile; nothing was charged. Send it again.');
    }
    return leaseEnded;
  };
  const charged = await deps.charges.charge(payer, prediction, () => requireAwaited(ticket));
  const isFinal = charged.outcome !== 'due' && charged.outcome !== 'refused';
  usage.leaseEnded = isFinal
    ? await requireCharged(deps.pool, charged)
    : await transaction(deps.pool, async (sql) => {
        await payDueHosting(sql, record.id, at);
        requireAwaited(ticket);
        return requireCharged(sql, await chargePrediction(sql, payer, prediction));
      });
}

/** Pays for the answer. A large answer with an Idempotency-Key is first written to the object store. */
async function storeAndPay(deps: Charging, context: RequestContext, computed: Computed, ticket: Ticket): Promise<void> {
  const { record, answer } = computed;
  if (ticket.key === null || Buffer.byteLength(answer.body) <= limits.inlineAnswerBytes)
    return pay(deps, context, computed, ticket);
  const ref = objectNames.answer(record.id, randomUUID());
  await withObjects(deps, ref, async () => {
    await deps.objects.create(ref, Buffer.from(answer.body));
    await pay(deps, context, { ...computed, ref }, ticket);
  });
}

/**
 * Labels new trials with a hosted model and charges their windows. Due hosting is paid in the same transaction. A model
 * that ended in the meantime is answered like a missing one, and nothing is charged.
 */
export async function predict(
  deps: Charging,
  context: RequestContext,
  { record, intake, labelled }: BodyRead & { readonly record: TaskModelRecord },
  ticket: Ticket,
): Promise<Answer> {
  const { caller, usage } = context;
  const { windows, signal } = intake;
  const modelRef = requireFitted(record);
  requireSameChannels(record.channels, intake.channelNames);
  context.reserveAnswer(requireAnswerable(intake.trials!.trials, record.classes));
  await requireFunds(deps, caller, record, windows);
  const task = predictTaskOf(modelRef, intake);
  const { align } = task;
  const label = async (): Promise<Answered> => {
    if (!labelled) return deps.threads.predict(caller.accountId, { ...task, readsEncoders: record.readsEncoders });
    if (labelled.ok) return labelled.answered;
    throw unpackError(labelled.error);
  };
  const { data, priors, warnings } = await label().catch((cause: unknown) =>
    modelFault(deps, caller, record.id, cause),
  );
  const note = record.reference && align === 'none' ? unalignedNote(record.reference) : null;
  const unaligned = note === null ? [] : [note];
  const rest = JSON.stringify({
    task_model: record.id,
    method: record.method,
    align,
    priors,
    signal: { ...signal!, warnings: [...signal!.warnings, ...warnings, ...unaligned] },
    cost: windowsCost(caller, windows),
  });
  // `data` is already JSON text: the thread has rendered it, not this one.
  const answer: Answer = { status: 200, body: `{"object":"list","data":${data},${rest.slice(1)}` };
  await storeAndPay(deps, context, { record, windows, answer }, ticket);
  usage.charged = microUsdOf(caller.mode, windows);
  usage.recorded = true;
  return answer;
}
