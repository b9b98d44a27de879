import { count } from '../../infra/contract/quote.ts';
import type { Change, ErrorCode, FieldError } from '../../infra/contract/errors.ts';
import { listErrors, summaryOf, type ListedErrors } from '../../infra/contract/invalid-request.ts';
import { sureFixes, withChanges } from '../contract/sure-fix.ts';

/** One failing field. `code`: the failure's own error code, if it has one. */
export interface Problem extends FieldError {
  readonly code?: ErrorCode;
}

/** The answer to a rejected request (fields of `ApiError`). */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string;
  readonly alternatives: readonly Change[];
  readonly details: ListedErrors;
}

/** A rejected body, and the function that validates a changed one. */
export interface Sent {
  readonly body: Readonly<Record<string, unknown>>;
  readonly passes: (changed: Sent['body']) => boolean;
}

/** This code wins over all others: an oversized request gets it, whatever else is wrong. */
const fundamental: ErrorCode = 'PAYLOAD_TOO_LARGE';

/**
 * One error for all failing fields. PAYLOAD_TOO_LARGE wins. UNITS_REQUIRED and TOO_FEW_TRIALS are used if every failure
 * has that code; a mixture is INVALID_REQUEST. `field` and `message` are those of the first failure. `alternatives`
 * make the request valid. `sent`: the rejected body; without it no alternatives are offered.
 */
export function refusal(found: readonly Problem[], sent?: Sent): Refusal {
  const problems = [
    ...found.filter(({ code }) => code === fundamental),
    ...found.filter(({ code }) => code !== fundamental),
  ];
  const codes = new Set(problems.map(({ code }) => code ?? 'INVALID_REQUEST'));
  const [first] = problems;
  return {
    code: codes.has(fundamental) ? fundamental : codes.size === 1 ? [...codes][0] : 'INVALID_REQUEST',
    message: summaryOf(problems),
    field: first.field,
    alternatives: sent ? sureFixes(problems, sent.body, sent.passes) : [],
    details: listErrors(sent ? withChanges(problems, sent.body) : problems),
  };
}

/** `[10, 3, 80]` → `10 × 3 × 80`. */
export const times = (shape: readonly number[]): string => shape.map(count).join(' × ');

/** `1 entry`, `2,000 entries`. */
export const entries = (value: number): string => `${count(value)} ${value === 1 ? 'entry' : 'entries'}`;
