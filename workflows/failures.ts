import { ActivityFailure, ApplicationFailure, ChildWorkflowFailure, TimeoutFailure } from '@temporalio/workflow';
import { errorTable, type ErrorCode } from '../infra/contract/errors.ts';
import type { FitFailure } from '../activities/activities.ts';

/** The message of the innermost cause that has one. */
export function messageOf(error: unknown): string {
  const cause = rootOf(error);
  return cause instanceof TimeoutFailure
    ? 'It did not finish in time.'
    : cause instanceof Error
      ? cause.message
      : String(cause);
}

/** The failure that the caller sees: the code that the activity named, else BACKEND_FAILURE. */
export function fitFailureOf(error: unknown): FitFailure {
  const cause = rootOf(error);
  const type = cause instanceof ApplicationFailure ? (cause.type ?? '') : '';
  if (!Object.hasOwn(errorTable, type))
    return {
      code: 'BACKEND_FAILURE',
      message: 'The fit failed on the service side and nothing was charged. Send the request again.',
      reasons: [{ method: 'service', reason: messageOf(error) }],
    };
  const details = (cause as ApplicationFailure).details?.[0] as Partial<FitFailure> | undefined;
  return { code: type as ErrorCode, message: messageOf(error), reasons: [], ...details };
}

function rootOf(error: unknown): unknown {
  const outer = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  return outer && error.cause ? rootOf(error.cause) : error;
}
