import { createCost, estimateBody, isPreparing, postCreate, zeroShotBody, type CreateOptions } from './create.ts';
import { PreparationError, RefusedError } from './errors.ts';
import type { ZeroShotInput } from './requests.ts';
import { wait } from './retries.ts';
import type { Reply, Send } from './transport.ts';
import type { Preparation, TaskModel, TaskModelPreparing, ZeroShotEstimate } from './schema-types.ts';
import { requireAtMost } from './usd.ts';

export interface ZeroShotOptions extends CreateOptions {
  /** Called with the state of the preparation, while the service prepares reference recordings. */
  readonly onPreparation?: (preparation: Preparation) => void;
  /** Called with the estimate before anything is charged. If it returns false, nothing is created. */
  readonly review?: (estimate: ZeroShotEstimate) => boolean | Promise<boolean>;
  /** Longest wait for reference recordings in milliseconds; default 1,800,000. */
  readonly preparationTimeoutMs?: number;
}

interface PreparationWait {
  readonly signal?: AbortSignal;
  readonly onPreparation?: (preparation: Preparation) => void;
  /** End of the wait, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * Waits before the next request. Throws PreparationError if the preparation has failed for good, or no time is left.
 */
async function awaitPreparation(
  preparation: Preparation,
  retryAfter: number | null,
  { signal, onPreparation, until }: PreparationWait,
): Promise<void> {
  onPreparation?.(preparation);
  const { status, retryable, reason, estimated_seconds: left } = preparation;
  const details = { preparation };
  if (status === 'required' || (status === 'failed' && !retryable))
    throw new PreparationError(
      'PREPARATION_FAILED',
      `The reference recordings cannot be prepared (status ${status}). ${reason ?? ''}`.trim(),
      { details },
    );
  const seconds = retryAfter ?? Math.min(30, Math.max(1, left));
  if (Date.now() + seconds * 1000 > until)
    throw new PreparationError(
      'PREPARATION_TIMEOUT',
      `The reference recordings are not prepared yet (status ${status}, about ${left} s left). Try again later.`,
      { details },
    );
  await wait(seconds, signal);
}

/** Repeats the estimate until its reference recordings are prepared. */
async function readyEstimate(send: Send, body: object, waiting: PreparationWait): Promise<ZeroShotEstimate> {
  for (;;) {
    const reply = await estimateBody<ZeroShotEstimate>(send, body, { signal: waiting.signal });
    const { ready, preparation } = reply.body;
    if (ready || !preparation) return reply.body;
    await awaitPreparation(preparation, reply.retryAfter, waiting);
  }
}

/**
 * Creates a task model without trials of the caller. Repeats the estimate until the reference recordings are prepared,
 * calls `review` with it, and creates the model with the `reference_classes` of the estimate.
 */
export async function zeroShot(
  send: Send,
  input: ZeroShotInput,
  { maxUsd, onPreparation, review, preparationTimeoutMs = 1_800_000, ...options }: ZeroShotOptions = {},
): Promise<TaskModel> {
  const waiting = { signal: options.signal, onPreparation, until: Date.now() + preparationTimeoutMs };
  const body = zeroShotBody(input);
  const estimate = await readyEstimate(send, body, waiting);
  requireAtMost(createCost(estimate), maxUsd);
  if (review && !(await review(estimate)))
    throw new RefusedError('NOT_CONFIRMED', '`review` returned false, so nothing was created.');
  const confirmed = { ...body, reference_classes: estimate.reference_classes };
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  for (;;) {
    const reply: Reply<TaskModel | TaskModelPreparing> = await postCreate(send, confirmed, {
      ...options,
      idempotencyKey,
    });
    if (!isPreparing(reply.body)) return reply.body;
    await awaitPreparation(reply.body.preparation, reply.retryAfter, waiting);
  }
}
