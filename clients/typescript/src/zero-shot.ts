import { createCost, estimateBody, isPreparing, postCreate, zeroShotBody, type CreateOptions } from './create.ts';
import { PreparationError, RefusedError } from './errors.ts';
import type { ZeroShotInput } from './requests.ts';
import { wait } from './retries.ts';
import type { Reply, Send } from './transport.ts';
import type { Preparation, TaskModel, TaskModelPreparing, ZeroShotEstimate } from './types.ts';
import { guard } from './usd.ts';

export interface ZeroShotOptions extends CreateOptions {
  /** Called while reference recordings are prepared. */
  readonly onPreparation?: (preparation: Preparation) => void;
  /** Sees the explanation and the evidence before anything is charged; false ends it. */
  readonly review?: (estimate: ZeroShotEstimate) => boolean | Promise<boolean>;
  /** Longest wait for reference recordings, in milliseconds; 1,800,000. */
  readonly preparationTimeoutMs?: number;
}

interface Waiting {
  readonly signal?: AbortSignal;
  readonly onPreparation?: (preparation: Preparation) => void;
  /** In milliseconds since 1970. */
  readonly until: number;
}

/** Waits before the same request is sent again. Throws PreparationError where that cannot help, or takes too long. */
async function awaitPreparation(
  preparation: Preparation,
  retryAfter: number | null,
  { signal, onPreparation, until }: Waiting,
): Promise<void> {
  onPreparation?.(preparation);
  const { status, retryable, reason, estimated_seconds: left } = preparation;
  const details = { preparation };
  if (status === 'required' || (status === 'failed' && !retryable))
    throw new PreparationError(
      'PREPARATION_FAILED',
      `The reference recordings are not ready, and will not be by themselves (${status}). ${reason ?? ''}`.trim(),
      { details },
    );
  const seconds = retryAfter ?? Math.min(30, Math.max(1, left));
  if (Date.now() + seconds * 1000 > until)
    throw new PreparationError(
      'PREPARATION_TIMEOUT',
      `The reference recordings are still being prepared (${status}, about ${left} s more). Ask again later.`,
      { details },
    );
  await wait(seconds, signal);
}

/** The same estimate, again and again, until it is ready. */
async function readyEstimate(send: Send, body: object, waiting: Waiting): Promise<ZeroShotEstimate> {
  for (;;) {
    const reply = await estimateBody<ZeroShotEstimate>(send, body, { signal: waiting.signal });
    const { ready, preparation } = reply.body;
    if (ready || !preparation) return reply.body;
    await awaitPreparation(preparation, reply.retryAfter, waiting);
  }
}

/**
 * A task model without trials: estimates until the reference recordings are ready, shows the explanation to `review`,
 * and creates with the mapping that the estimate returned.
 */
export async function zeroShot(
  send: Send,
  input: ZeroShotInput,
  { maxUsd, onPreparation, review, preparationTimeoutMs = 1_800_000, ...options }: ZeroShotOptions = {},
): Promise<TaskModel> {
  const waiting = { signal: options.signal, onPreparation, until: Date.now() + preparationTimeoutMs };
  const body = zeroShotBody(input);
  const estimate = await readyEstimate(send, body, waiting);
  guard(createCost(estimate), maxUsd);
  if (review && !(await review(estimate)))
    throw new RefusedError('NOT_CONFIRMED', '`review` did not confirm the explanation; nothing was created.');
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
