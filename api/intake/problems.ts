import { count } from '../../infra/contract/quote.ts';
import type { ErrorCode, FieldError } from '../../infra/contract/errors.ts';
import { listErrors, summaryOf, type ListedErrors } from '../../infra/contract/invalid-request.ts';
import { sureFixes } from '../contract/sure-fix.ts';

/** One failing field; `code` where its failure has an error code of its own. */
export interface Problem extends FieldError {
  readonly code?: ErrorCode;
}

/** What a refused request answers (the fields of `ApiError`). */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string;
  readonly alternatives: readonly unknown[];
  readonly details: ListedErrors;
}

/** A refused body, and what reads a changed one anew. */
export interface Sent {
  readonly body: Readonly<Record<string, unknown>>;
  readonly passes: (changed: Sent['body']) => boolean;
}

/**
 * Checked before anything else in spirit: a request that is too large is answered so, whatever else is wrong with it.
 */
const fundamental: ErrorCode = 'PAYLOAD_TOO_LARGE';

/**
 * One refusal for all failing fields. PAYLOAD_TOO_LARGE wins over everything; UNITS_REQUIRED and TOO_FEW_TRIALS are
 * answered where every failure has that code; a mixture is INVALID_REQUEST. `field` and `message` are those of the
 * first failure; `alternatives` make the request pass. `sent` is what was refused: without it none are offered.
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
    details: listErrors(problems),
  };
}

/** `[10, 3, 80]` → `10 × 3 × 80`. */
export const times = (shape: readonly number[]): string => shape.map(count).join(' × ');

/** `1 entry`, `2,000 entries`. */
export const entries = (value: number): string => `${count(value)} ${value === 1 ? 'entry' : 'entries'}`;
