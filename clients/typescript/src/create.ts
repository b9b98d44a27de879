import { sendFit } from './jobs.ts';
import { wholeBody, type CreateInput, type ZeroShotInput } from './requests.ts';
import type { RequestOptions, Reply, Send } from './transport.ts';
import type { Estimate, TaskModel, TaskModelPreparing, ZeroShotEstimate } from './schema-types.ts';
import { microUsd, requireAtMost } from './usd.ts';

/** Path of the task models. */
export const taskModelsPath = '/v1/task-models';

export interface MoneyOptions {
  /** Limit on the cost of this call in USD. An estimate checks it first; above the limit nothing is charged. */
  readonly maxUsd?: number | string;
}
export type CreateOptions = RequestOptions & MoneyOptions;

const tooManyAdvice = 'Use createInBatches, which sends several requests.';

/** Body of a create with trials. Throws RefusedError if one request cannot contain them. */
export const createBody = (input: CreateInput): Record<string, unknown> => wholeBody(input, tooManyAdvice);
/** Body of a create without trials. */
export const zeroShotBody = (input: ZeroShotInput): Record<string, unknown> => ({ ...input, mode: 'zero_shot' });

/** Sends an estimate or a first batch. */
export const postCreate = <T>(send: Send, body: object, options: RequestOptions = {}): Promise<Reply<T>> =>
  send<T>({ method: 'POST', path: taskModelsPath, body, idempotent: true }, options);

/** Sends a create that fits. One that takes long runs as a job. */
export const postFit = <T extends object>(send: Send, body: object, options: RequestOptions = {}): Promise<Reply<T>> =>
  sendFit<T>(send, { method: 'POST', path: taskModelsPath, body }, options);

/** Price of a create in micro-dollars: the create fee and a month of hosting. */
export const createCost = (estimate: Estimate | ZeroShotEstimate): bigint =>
  microUsd(estimate.create_usd) + microUsd(estimate.hosting_usd_per_month);

/** Estimates a create. Nothing is fitted or charged. */
export async function estimateBody<T extends Estimate | ZeroShotEstimate>(
  send: Send,
  body: object,
  options: RequestOptions = {},
): Promise<Reply<T>> {
  return postCreate<T>(send, { ...body, dry_run: true }, options);
}

/**
 * Fits a task model on labelled trials that fit into one request. Throws RefusedError if it costs more than `maxUsd`.
 */
export async function create(
  send: Send,
  input: CreateInput,
  { maxUsd, ...options }: CreateOptions = {},
): Promise<TaskModel> {
  const body = createBody(input);
  if (maxUsd !== undefined) {
    const { body: estimate } = await estimateBody<Estimate>(send, body, { signal: options.signal });
    requireAtMost(createCost(estimate), maxUsd);
  }
  return (await postFit<TaskModel>(send, body, options)).body;
}

/** Whether the answer to a create says that the service still prepares reference recordings. */
export const isPreparing = (body: { readonly object: string }): body is TaskModelPreparing =>
  body.object === 'task_model.preparing';
