import { stratifiedBatches } from './batches.ts';
import { create, createCost, estimateBody, postCreate, type CreateOptions } from './create.ts';
import { factsOf, UploadError } from './errors.ts';
import { deleteModel } from './models.ts';
import { packRequest, wholeBody, type BatchInput, type CreateInput, type PackedRequest } from './requests.ts';
import { modelPath, type RequestOptions, type Send } from './transport.ts';
import type { Estimate, TaskModel, TaskModelBatch } from './types.ts';
import { formatUsd, guard, microUsd } from './usd.ts';

type Model = string | { readonly id: string };

/** How far sending is. */
export interface UploadProgress {
  readonly modelId: string;
  readonly batchesDone: number;
  readonly batches: number;
  readonly trialsDone: number;
  readonly trials: number;
  /** What the batches cost so far. */
  readonly paidUsd: string;
}

export interface BatchesOptions extends Pick<CreateOptions, 'maxUsd' | 'signal'> {
  readonly onProgress?: (progress: UploadProgress) => void;
  /** The same seed divides the same trials alike; 1. */
  readonly seed?: number;
}

const inBatches = 'Send them in several batches.';

/** Begins a model whose trials come in several requests: the first batch is stored, and billed per window. */
export async function createDeferred(send: Send, input: CreateInput, options?: RequestOptions): Promise<TaskModel> {
  const body = { ...wholeBody(input, inBatches), defer_fit: true };
  return (await postCreate<TaskModel>(send, body, options)).body;
}

const postTrials = async (send: Send, model: Model, body: object, options?: RequestOptions): Promise<TaskModelBatch> =>
  (await send<TaskModelBatch>({ method: 'POST', path: `${modelPath(model)}/trials`, body, idempotent: true }, options))
    .body;

/** Adds a batch to a collecting model. */
export const addTrials = (send: Send, model: Model, input: BatchInput, options?: RequestOptions) =>
  postTrials(send, model, wholeBody(input, inBatches), options);

/** Fits a collecting model on all of its batches. */
export const fit = async (send: Send, model: Model, options?: RequestOptions): Promise<TaskModel> =>
  (await send<TaskModel>({ method: 'POST', path: `${modelPath(model)}/fit`, idempotent: true }, options)).body;

/** What a create goes on with, and a batch does not have. */
const createOnly = ['description', 'name', 'expires_at', 'expires_in_days'] as const;

/** The body of a later batch: parameters of the model go with its create. */
function batchBody(request: PackedRequest, indices: readonly number[]): Record<string, unknown> {
  const { parameters: _parameters, ...body } = request.body(indices);
  for (const field of createOnly) delete body[field];
  return body;
}

/** What all batches, the create and a month of hosting cost, from an estimate of the first batch. */
async function costOf(send: Send, first: object, share: readonly [number, number], signal?: AbortSignal) {
  const { body } = await estimateBody<Estimate>(send, { ...first, defer_fit: true }, { signal });
  const [trials, ofFirst] = share.map(BigInt);
  return createCost(body) + (microUsd(body.batch_usd) * trials + ofFirst - 1n) / ofFirst;
}

interface Left {
  readonly modelId: string;
  readonly paid: bigint;
  readonly trialsDone: number;
}

/** Deletes what nothing was paid into; the error names what is left. */
async function givenUp(send: Send, { modelId, paid, trialsDone }: Left, cause: unknown): Promise<UploadError> {
  const gone =
    paid === 0n &&
    (await deleteModel(send, modelId).then(
      () => true,
      () => false,
    ));
  const why = cause instanceof Error ? cause.message : String(cause);
  const left = gone
    ? 'Its model, into which nothing was paid, was deleted.'
    : `The collecting model ${modelId} is left, into which ${formatUsd(paid)} USD were paid: add the other trials ` +
      'and fit it within 7 days, or delete it.';
  const facts = { modelId: gone ? null : modelId, paidUsd: formatUsd(paid), trialsDone };
  return new UploadError(`Sending ended after ${trialsDone} trials: ${why} ${left}`, facts, factsOf(cause));
}

/**
 * A task model from any number of trials. Those that one request takes are a plain create. More are divided into
 * shuffled batches of every class, each billed per window, and fitted together. Throws UploadError where it ends early.
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
  if (maxUsd !== undefined) guard(await costOf(send, first, [trials, batches[0].length], signal), maxUsd);

  const begun = (await postCreate<TaskModel>(send, first, { signal })).body;
  const { id: modelId } = begun;
  let paid = microUsd(begun.cost?.usd ?? '0');
  let [trialsDone, batchesDone] = [batches[0].length, 1];
  const tell = (): void =>
    onProgress?.({
      modelId,
      batchesDone,
      batches: batches.length,
      trialsDone,
      trials,
      paidUsd: formatUsd(paid),
    });
  try {
    tell();
    for (const batch of batches.slice(1)) {
      const { cost } = await postTrials(send, modelId, batchBody(request, batch), { signal });
      paid += microUsd(cost?.usd ?? '0');
      trialsDone += batch.length;
      batchesDone += 1;
      tell();
    }
    return await fit(send, modelId, { signal });
  } catch (error) {
    throw await givenUp(send, { modelId, paid, trialsDone }, error);
  }
}
