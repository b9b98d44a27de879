import { wholeBody, type CreateInput, type ZeroShotInput } from './requests.ts';
import type { RequestOptions, Reply, Send } from './transport.ts';
import type { Estimate, TaskModel, TaskModelPreparing, ZeroShotEstimate } from './types.ts';
import { guard, microUsd } from './usd.ts';

export const collection = '/v1/task-models';

export interface MoneyOptions {
  /** The most that this may cost now, USD: what costs more is estimated and refused, and nothing is charged. */
  readonly maxUsd?: number | string;
}
export type CreateOptions = RequestOptions & MoneyOptions;

const tooMany = 'createInBatches sends them in several.';

/** A body of POST /v1/task-models. */
export const createBody = (input: CreateInput): Record<string, unknown> => wholeBody(input, tooMany);
export const zeroShotBody = (input: ZeroShotInput): Record<string, unknown> => ({ ...input, mode: 'zero_shot' });

/** Sends a create, an estimate or a first batch. */
export const postCreate = <T>(send: Send, body: object, options: RequestOptions = {}): Promise<Reply<T>> =>
  send<T>({ method: 'POST', path: collection, body, idempotent: true }, options);

/** What a create costs at once: the create and a month of hosting. */
export const createCost = (estimate: Estimate | ZeroShotEstimate): bigint =>
  microUsd(estimate.create_usd) + microUsd(estimate.hosting_usd_per_month);

/** Estimates: nothing is fitted or charged. */
export async function estimateBody<T extends Estimate | ZeroShotEstimate>(
  send: Send,
  body: object,
  options: RequestOptions = {},
): Promise<Reply<T>> {
  return postCreate<T>(send, { ...body, dry_run: true }, options);
}

/** Fits a task model on labelled trials, which one request takes; with `maxUsd` only if it costs no more. */
export async function create(
  send: Send,
  input: CreateInput,
  { maxUsd, ...options }: CreateOptions = {},
): Promise<TaskModel> {
  const body = createBody(input);
  if (maxUsd !== undefined) {
    const { body: estimate } = await estimateBody<Estimate>(send, body, { signal: options.signal });
    guard(createCost(estimate), maxUsd);
  }
  return (await postCreate<TaskModel>(send, body, options)).body;
}

/** An answer to a create that has to wait for reference recordings. */
export const isPreparing = (body: { readonly object: string }): body is TaskModelPreparing =>
  body.object === 'task_model.preparing';
