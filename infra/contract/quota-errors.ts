import { ApiError } from './errors.ts';
import { quotas, bytesInWords, type QuotaName } from './quotas.ts';
import { count } from './quote.ts';
import { secondsUntilNext } from './utc-periods.ts';

const inWords = (name: QuotaName, value: bigint): string =>
  quotas[name].unit === 'bytes' ? bytesInWords(value) : count(Number(value));

interface Allowance {
  readonly used: bigint;
  readonly limit: bigint;
  /** Amount that the request would add. */
  readonly wanted: bigint;
  readonly at: Date;
}

/** The refusal of a request that a daily allowance does not cover. */
export function allowanceUsedUp(
  name: QuotaName,
  { used, limit, wanted, at }: Allowance,
  fixes: readonly string[] = [],
): ApiError {
  const seconds = secondsUntilNext('day', at);
  const { words, column } = quotas[name];
  return new ApiError(
    'USAGE_CAP_EXCEEDED',
    `${inWords(name, used)} of the account's ${inWords(name, limit)} ${words} a day are used, and this request needs ` +
      `${inWords(name, wanted)}. The next day (UTC) begins in ${seconds} s.`,
    {
      advice: [...fixes, `Send the request again in ${seconds} seconds.`, 'Ask the operator for a larger allowance.'],
      details: { quota: column, used: String(used), limit: String(limit) },
      retryAfterSeconds: seconds,
    },
  );
}

/** The refusal of a fit while too many run. */
export const tooManyFits = (used: bigint, limit: bigint): ApiError =>
  new ApiError(
    'CONCURRENCY_LIMITED',
    `${inWords('runningFits', used)} fits of the account run; at most ${inWords('runningFits', limit)} may. Wait until ` +
      'one has ended.',
    { details: { quota: quotas.runningFits.column, used: String(used), limit: String(limit) }, retryAfterSeconds: 15 },
  );

/** A model that can be deleted to make room. */
export interface Removable {
  readonly id: string;
  /** Bytes of its features; null: not counted. */
  readonly bytes: bigint | null;
}

interface Full {
  readonly used: bigint;
  readonly limit: bigint;
  readonly wanted: bigint;
  readonly freesAt: Date | null;
  /** Models to delete, the best choice first. */
  readonly removable?: readonly Removable[];
}

const sized = ({ id, bytes }: Removable): string => (bytes === null ? id : `${id} (${bytesInWords(bytes)})`);

const keyedAnswers =
  'Send the request without an Idempotency-Key, or delete a task model: the stored answers of its batches, fits and ' +
  'predictions go with it.';

/** The refusal of a request that would store more than the account may keep. */
export function storedTooMuch(name: QuotaName, full: Full): ApiError {
  const { used, limit, wanted, removable = [] } = full;
  // The first batch of a model counts itself already: without an earlier batch, the time is that of the refused model.
  const freesAt = used > 0n ? full.freesAt : null;
  const { words, column, unit } = quotas[name];
  const isAnswers = name === 'storedAnswers' || name === 'storedAnswerBytes';
  const what = unit === 'bytes' ? `${inWords(name, used)} of ${words}` : `${inWords(name, used)} ${words}`;
  const needs = unit === 'bytes' ? ` This request needs ${inWords(name, wanted)} more.` : '';
  const choices = removable.map(sized).join(', ');
  const order = isCollecting(name) ? 'the largest are' : 'the oldest are';
  const remove = isCollecting(name) ? 'Fit or delete a collecting model' : 'Delete a model that you no longer use';
  const fix = isAnswers ? keyedAnswers : `${remove}${choices && `; ${order} ${choices}`}.`;
  const next = freesAt ? ` The next one expires ${freesAt.toISOString()}.` : '';
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The account keeps ${what}; its limit is ${inWords(name, limit)}.${needs} ${fix}${next}`,
    {
      advice: ['Or ask the operator for a larger limit.'],
      details: {
        quota: column,
        used: String(used),
        limit: String(limit),
        next_expiry_at: freesAt && Math.floor(freesAt.getTime() / 1000),
        delete: removable.map(({ id }) => id),
      },
    },
  );
}

const isCollecting = (name: QuotaName): boolean => name === 'collectingModels' || name === 'batchBytes';
