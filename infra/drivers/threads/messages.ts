import type { Operation } from '../../observe/noted.ts';
import { ApiError, type ErrorCode } from '../../contract/errors.ts';

/** Argument of a thread that takes only quick tasks. */
export const quickThread = '--quick';

/** Argument of a thread; the cache folder of compiled modules follows it. */
export const compiledIn = '--compiled-in=';

/** Messages between a pool and its threads. */
export interface TaskMessage {
  readonly id: number;
  readonly task: string;
  readonly payload: unknown;
}

/** Resumes or drops a paused task. */
export interface PausedMessage {
  readonly id: number;
  readonly paused: 'resume' | 'drop';
}

/** Call of a service of the process during a task. */
export interface AskMessage {
  readonly ask: number;
  readonly service: string;
  readonly payload: unknown;
}

/** The answer of the process. */
export type AnswerMessage =
  | { readonly answerTo: number; readonly ok: true; readonly value: unknown }
  | { readonly answerTo: number; readonly ok: false; readonly error: SentError };

export type ReplyMessage =
  | { readonly ready: true }
  | AskMessage
  /** The task paused after one of its steps and waits for its turn. */
  | ({ readonly id: number; readonly paused: true } & Noted)
  | ({ readonly id: number; readonly ok: true; readonly value: unknown } & Noted)
  | ({ readonly id: number; readonly ok: false; readonly error: SentError } & Noted);

/** Operations that the thread noted during the task; absent: none. */
interface Noted {
  readonly noted?: readonly Operation[];
}

/** Why a task has no result. `lost`: its thread or its pool ended, or a message could not be transferred. */
export type LossReason = 'lost' | 'overdue' | 'out of memory';

/** The task has no result: its thread ended, or it exceeded its time or memory limit. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost';
  readonly reason: LossReason;

  constructor(message: string, { reason = 'lost', cause }: { reason?: LossReason; cause?: unknown } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** An error in a message. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** Of a ThreadLost. */
  readonly reason?: LossReason;
  readonly api?: Pick<ApiError, 'code' | 'field' | 'alternatives' | 'details' | 'retryAfterSeconds'>;
  readonly cause?: SentError;
}

/** An error as plain data; an ApiError keeps its fields, a cause its name and message. */
export function packError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { code, field, alternatives, details, retryAfterSeconds } = error as ApiError;
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(error instanceof ThreadLost && { reason: error.reason }),
    ...(error instanceof ApiError && { api: { code, field, alternatives, details, retryAfterSeconds } }),
    ...(error.cause !== undefined && { cause: packError(error.cause) }),
  };
}

/** Reverses `packError`. */
export function unpackError(sent: SentError): Error {
  const cause = sent.cause && unpackError(sent.cause);
  const error = sent.api
    ? new ApiError(sent.api.code satisfies ErrorCode, sent.message, { ...sent.api, cause })
    : sent.reason
      ? new ThreadLost(sent.message, { reason: sent.reason, cause })
      : Object.assign(new Error(sent.message, { cause }), { name: sent.name });
  error.stack = sent.stack;
  return error;
}
