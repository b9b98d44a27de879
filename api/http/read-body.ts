import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from './answer.ts';
import { hasKey, keyOfReplay, replayOf } from './idempotency.ts';
import { callerOf } from './request.ts';
import { smallBytes } from '../threads/client.ts';
import type { IntakeAccepted } from '../intake/intake.ts';
import type { LabelBy, LabelResult } from '../predict/label.ts';

/** Rejects work when the thread queue is long. An account may use as much of the queue as it leaves to others. */
function requireRoom({ threads, queueLimit = 64 }: ApiDeps, account: string): void {
  const { load } = threads;
  const own = threads.loadOf(account);
  if (load < queueLimit && (own === 0 || own < queueLimit - load)) return;
  throw new ApiError(
    'POOL_SATURATED',
    `${load} tasks wait for the worker threads of this process, ${own} of them the account's. ${queueLimit} may wait, ` +
      'and of one account at most as many as places are free.',
    { retryAfterSeconds: 2 },
  );
}

export interface ReadingOptions {
  readonly resampler?: number;
  readonly label?: LabelBy | null;
}

export type BodyRead = { readonly intake: IntakeAccepted } & Pick<LabelResult, 'labelled'>;

interface Reading extends ReadingOptions {
  readonly what: 'create' | 'batch' | 'predict';
}

/** The speculative result, if it used the same model; null: the body must still be read. */
async function speculated({ speculation }: FastifyRequest, { resampler, label }: Reading): Promise<LabelResult | null> {
  const done = await speculation?.started;
  if (!done?.result) return null;
  const { by, result } = done;
  const { read, labelled } = result;
  const isSo = label?.modelRef === by.label.modelRef && resampler === by.resampler;
  if (isSo && (!read.ok || !labelled || read.windows <= label.mostWindows)) return result;
  speculation?.cancel();
  return null;
}

async function readByThread(
  { threads }: ApiDeps,
  request: FastifyRequest,
  body: Uint8Array,
  reading: Reading,
): Promise<LabelResult> {
  const done = await speculated(request, reading);
  if (done) return done;
  const { accountId } = callerOf(request);
  const { what, resampler, label } = reading;
  const hashed = hasKey(request);
  if (!label || what !== 'predict' || body.byteLength > smallBytes)
    return { read: await threads.intake(accountId, { body, what, resampler, hashed }), labelled: null };
  const result = await threads.label(accountId, { body, resampler, hashed, ...label });
  if (result.labelled?.ok)
    request.speculation?.remember({ accountId, resampler, label: { ...label, mostWindows: Infinity } });
  return result;
}

/**
 * Passes the body to a thread that reads and checks it. `refusal` is an error that applies to every body. `resampler`:
 * the version for the trials (absent: the current one). With `label`, the thread may also label the trials of a small
 * body: `labelled`. A request that is no longer valid, but was answered before under the same key, gets that answer.
 */
export async function readBody(
  deps: ApiDeps,
  request: FastifyRequest,
  what: 'create' | 'batch' | 'predict',
  refusal: ApiError | null = null,
  { resampler, label = null }: ReadingOptions = {},
): Promise<BodyRead | { readonly replay: Answer }> {
  const { accountId } = callerOf(request);
  requireRoom(deps, accountId);
  const body = request.body;
  if (!(body instanceof Uint8Array) || body.length === 0)
    throw refusal ?? invalidField('body', 'The body is empty; send one JSON object.');
  if (refusal) {
    const replay =
      keyOfReplay(request) && (await replayOf(deps, request, await deps.threads.hash(accountId, { body })));
    if (replay) return { replay };
    throw refusal;
  }
  const { read: result, labelled } = await readByThread(deps, request, body, { what, resampler, label });
  request.releaseBody(result.ok ? result.trials?.data.byteLength : 0);
  if (result.ok) return { intake: result, labelled };
  const replay = await replayOf(deps, request, result.hash);
  if (replay) return { replay };
  const { code, message, field, alternatives, details } = result.error;
  throw new ApiError(code, message, { field, alternatives, details });
}
