import { stratifiedBatches } from './batches.ts';
import { create, createCost, estimateBody, postCreate, type CreateOptions } from './create.ts';
import { fieldsOf, UploadError } from './errors.ts';
import { sendFit } from './jobs.ts';
import { deleteModel } from './models.ts';
import { packRequest, wholeBody, type BatchInput, type CreateInput, type PackedRequest } from './requests.ts';
import { modelPath, type RequestOptions, type Send } from './transport.ts';
import type { Estimate, TaskModel, TaskModelBatch } from './schema-types.ts';
import { formatUsd, microUsd, requireAtMost } from './usd.ts';

type Model = string | { readonly id: string };

/** Progress of an upload in batches. */
export interface UploadProgress {
  readonly modelId: string;
  readonly batchesDone: number;
  readonly batches: number;
  readonly trialsDone: number;
  readonly trials: number;
  /** Cost of the batches so far, in USD. */
  readonly paidUsd: string;
}

export interface BatchesOptions extends Pick<CreateOptions, 'maxUsd' | 'signal'> {
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Seed of the random division into batches; default 1. */
  readonly seed?: number;
}

const tooManyAdvice = 'Send them in several batches.';

/** Creates a collecting model with a first batch of trials, which costs per window. */
export async function createDeferred(send: Send, input: CreateInput, options?: RequestOptions): Promise<TaskModel> {
  const body = { ...wholeBody(input, tooManyAdvice), defer_fit: true };
  return (await postCreate<TaskModel>(send, body, options)).body;
}

const postTrials = async (send: Send, model: Model, body: object, options?: RequestOptions): Promise<TaskModelBatch> =>
  (await send<TaskModelBatch>({ method: 'POST', path: `${modelPath(model)}/trials`, body, idempotent: true }, options))
    .body;

/** Adds a batch to a collecting model. */
export const addTrials = (send: Send, model: Model, input: BatchInput, options?: RequestOptions) =>
  postTrials(send, model, wholeBody(input, tooManyAdvice), options);

export interface FitOptions extends RequestOptions {
  /** Classes to leave out with all their trials, such as a mistyped label. */
  readonly ignoreClasses?: readonly string[];
}

/** Fits a collecting model on all of its batches. A fit that takes long runs as a job. */
export async function fit(
  send: Send,
  model: Model,
  { ignoreClasses = [], ...options }: FitOptions = {},
): Promise<TaskModel> {
  const body = ignoreClasses.length > 0 ? { ignore_classes: [...ignoreClasses] } : undefined;
  return (await sendFit<TaskModel>(send, { method: 'POST', path: `${modelPath(model)}/fit`, body }, options)).body;
}

/** Fields of the create that a later batch does not have. */
const createOnly = ['description', 'name', 'expires_at', 'expires_in_days'] as const;

/** Body of a later batch. */
function batchBody(request: PackedRequest, indices: readonly number[]): Record<string, unknown> {
  const { parameters: _parameters, ...body } = request.body(indices);
  for (const field of createOnly) delete body[field];
  return body;
}

/** Price in micro-dollars of all batches, the create and a month of hosting, from an estimate of the first batch. */
async function totalCost(send: Send, first: object, trialsInFirst: number, trials: number, signal?: AbortSignal) {
  const { body } = await estimateBody<Estimate>(send, { ...first, defer_fit: true }, { signal });
  const inFirst = BigInt(trialsInFirst);
  return createCost(body) + (microUsd(body.batch_usd) * BigInt(trials) + inFirst - 1n) / inFirst;
}

interface Unfinished {
  readonly modelId: string;
  readonly paid: bigint;
  readonly trialsDone: number;
}

/** Deletes an unfinished model if nothing was paid for it. Returns the error, which names a model that stays. */
async function uploadError(
  send: Send,
  { modelId, paid, trialsDone }: Unfinished,
  cause: unknown,
): Promise<UploadError> {
  const deleted =
    paid === 0n &&
    (await deleteModel(send, modelId).then(
      () => true,
      () => false,
    ));
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = deleted
    ? 'The unfinished model was deleted; nothing was paid for it.'
    : `The collecting model ${modelId} stays; its batches cost $${formatUsd(paid)}. Add the other trials and ` +
      'call fit within 7 days, or delete it.';
  const unfinished = { modelId: deleted ? null : modelId, paidUsd: formatUsd(paid), trialsDone };
  return new UploadError(
    `The upload stopped after ${trialsDone} trials: ${reason} ${advice}`,
    unfinished,
    fieldsOf(cause),
  );
}

/**
 * Fits a task model on any number of trials. If one request can contain them, it is a plain create. Otherwise the
 * client sends shuffled batches that each contain every class and cost per window, and then fits. Throws UploadError if
 * a later request fails.
 */
export async function createInBatches(
  send: Send,
  input: CreateInput,
  { maxUsd, onProgress, seed = 1, signal }: BatchesOptions = {},
): Promise<TaskModel> {
  const request = packRequest(input);
  const { trials } = request.trials;
  if (trials <= request.perRequest) return create(send, input, { maxUsd, signal });
  const batches = stratifiedBatches(input.labels, request.perRequest, seed);
  const first = { ...request.body(batches[0]), defer_fit: true };
  if (maxUsd !== undefined) requireAtMost(await totalCost(send, first, batches[0].length, trials, signal), maxUsd);

  const created = (await postCreate<TaskModel>(send, first, { signal })).body;
  const { id: modelId } = created;
  let paid = microUsd(created.cost?.usd ?? '0');
  let [trialsDone, batchesDone] = [batches[0].length, 1];
  const emitProgress = (): void =>
    onProgress?.({
      modelId,
      batchesDone,
      batches: batches.length,
      trialsDone,
      trials,
      paidUsd: formatUsd(paid),
    });
  try {
    emitProgress();
    for (const batch of batches.slice(1)) {
      const { cost } = await postTrials(send, modelId, batchBody(request, batch), { signal });
      paid += microUsd(cost?.usd ?? '0');
      trialsDone += batch.length;
      batchesDone += 1;
      emitProgress();
    }
    return await fit(send, modelId, { signal });
  } catch (error) {
    throw await uploadError(send, { modelId, paid, trialsDone }, error);
  }
}
