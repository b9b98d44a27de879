import type { z } from 'zod';
import type { FieldError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';

/** A failing field, and what kind of failure it is where a reader adds to it. */
export interface FieldFault extends FieldError {
  readonly kind?: 'unknown field';
}

export type Envelope<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldFault[] };
type Issue = z.core.$ZodIssue;

/** More failing fields than this are counted, not listed, so that a hostile body cannot grow an answer. */
const maxListed = 1_000;

/** Fields that are refused with their own words. */
const refusedFields: Readonly<Record<string, string>> = {
  model:
    'There is no parameter that selects a model, size or method: the service tries every compatible method ' +
    'and keeps the best.',
  mode: '`mode` is only used with the value "zero_shot"; leave it out when you send labelled trials.',
  fs: 'The sampling rate is sent as `sampling_rate_hz`.',
};

/** `['channels', 3]` → `channels[3]`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name ? `${name}.${String(key)}` : String(key)),
    '',
  );
}

const at = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], body);

/** Names a value in an error message without repeating more than 60 characters of it. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  const shown = JSON.stringify(value) ?? typeof value;
  return `${typeof value} ${shown.length > 60 ? `${shown.slice(0, 57)}…` : shown}`;
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' };
const sizeOf = (value: unknown): unknown =>
  typeof value === 'string' ? Array.from(value).length : Array.isArray(value) ? value.length : value;

type Describe = (issue: never, value: unknown) => { message: string; alternatives?: readonly unknown[] };

const refusedUnits: readonly unknown[] = ['unitless', 'normalized', 'unknown'];
const cleaned = (value: unknown) => String(value).replaceAll('\u0000', '').toWellFormed();
const fixedType = (expected: string, value: unknown): unknown =>
  expected === 'boolean'
    ? false
    : expected === 'int' && typeof value === 'number' && Number.isFinite(value)
      ? Math.max(1, Math.round(value))
      : undefined;

const formats: Readonly<Record<string, (field: unknown, value: unknown) => string>> = {
  text: () => 'holds U+0000 or half of a surrogate pair, which no text may hold.',
  regex: (field, value) =>
    field === 'before'
      ? `must be the \`next_before\` of a previous page; received ${showValue(value)}.`
      : `must be a whole number; received ${showValue(value)}.`,
};

const describers: Readonly<Record<string, Describe>> = {
  invalid_type: (issue: z.core.$ZodIssueInvalidType, value) => ({
    message:
      value === undefined
        ? `is required (${issue.expected}).`
        : `must be ${issue.expected}; received ${showValue(value)}.`,
    alternatives: fixedType(issue.expected, value) === undefined ? undefined : [fixedType(issue.expected, value)],
  }),
  too_big: (issue: z.core.$ZodIssueTooBig, value) => {
    const unit = units[issue.origin];
    const fix =
      typeof value === 'string'
        ? Array.from(value).slice(0, Number(issue.maximum)).join('')
        : typeof value === 'number'
          ? issue.maximum
          : undefined;
    return {
      message: unit
        ? `has ${String(sizeOf(value))} ${unit}; at most ${issue.maximum} are allowed.`
        : `is ${String(value)}; at most ${issue.maximum} is allowed.`,
      alternatives: fix === undefined ? undefined : [fix],
    };
  },
  too_small: (issue: z.core.$ZodIssueTooSmall, value) => {
    const unit = units[issue.origin];
    const bound = issue.inclusive ? 'at least' : 'more than';
    const verb = issue.inclusive && unit ? 'are' : 'is';
    return {
      message: unit
        ? `has ${String(sizeOf(value))} ${unit}; ${bound} ${issue.minimum} ${verb} needed.`
        : `is ${String(value)}; ${bound} ${issue.minimum} is needed.`,
      alternatives: typeof value === 'number' && issue.inclusive ? [issue.minimum] : undefined,
    };
  },
  invalid_value: (issue: z.core.$ZodIssueInvalidValue, value) => ({
    message:
      `must be one of ${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}; received ` +
      `${showValue(value)}.`,
    alternatives: issue.values.filter((allowed) => !refusedUnits.includes(allowed)),
  }),
  invalid_union: (issue: z.core.$ZodIssueInvalidUnion, value) => ({
    message:
      issue.path.at(-1) === 'expires_at'
        ? `must be an ISO 8601 date or date-time with an offset, such as 2027-01-31 or 2027-01-31T12:00:00Z; received ${showValue(value)}.`
        : `has no accepted form; received ${showValue(value)}.`,
    alternatives: issue.path.at(-1) === 'expires_at' ? [null] : undefined,
  }),
  invalid_format: (issue: z.core.$ZodIssueInvalidStringFormat, value) => ({
    message: (formats[issue.format] ?? formats.regex)(issue.path.at(-1), value),
    alternatives: issue.format === 'text' ? [cleaned(value)] : undefined,
  }),
} satisfies Record<string, Describe>;

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys): FieldFault[] {
  return issue.keys.slice(0, maxListed).map((key) => {
    const field = fieldName([...issue.path, key.slice(0, 100)]);
    const top = issue.path[0] ?? key;
    const alternatives = [{ [top]: issue.path.length ? {} : null }];
    const reserved = issue.path[0] === 'parameters' ? '`parameters` is reserved; send {}.' : undefined;
    const refused = reserved ?? (Object.hasOwn(refusedFields, key) ? refusedFields[key] : undefined);
    return refused
      ? { field, message: `${field}: ${refused}`, alternatives }
      : { field, message: `${field}: is not a field of this request.`, alternatives, kind: 'unknown field' };
  });
}

function fieldErrors(issue: Issue, body: unknown): FieldFault[] {
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue);
  const value = at(body, issue.path);
  const field = fieldName(issue.path) || 'body';
  const describe = describers[issue.code];
  if (field === 'body') return [{ field, message: `The body must be one JSON object; received ${showValue(value)}.` }];
  if (!describe) return [{ field, message: `${field}: ${issue.message}` }];
  const { message, alternatives } = describe(issue as never, value);
  return [{ field, message: `${field} ${message}`, ...(alternatives ? { alternatives } : {}) }];
}

const longLists = (body: object): FieldError[] =>
  Object.entries(body).flatMap(([field, value]) =>
    field !== 'x' && Array.isArray(value) && value.length > limits.windowsPerRequest
      ? [{ field, message: `${field} has ${value.length} entries; at most ${limits.windowsPerRequest} are allowed.` }]
      : [],
  );

/**
 * Validates a parsed JSON body (or query) against a schema. Every failing field is listed, with the value received,
 * the limit, and in `alternatives` the value to send instead; an object among them is merged into the request (null
 * removes a field).
 */
export function readEnvelope<T extends z.ZodType>(schema: T, body: unknown): Envelope<z.output<T>> {
  if (typeof body === 'object' && body !== null) {
    const errors = longLists(body);
    if (errors.length) return { ok: false, errors };
  }
  const read = schema.safeParse(body);
  if (read.success) return { ok: true, value: read.data };
  return {
    ok: false,
    errors: read.error.issues
      .slice(0, maxListed)
      .flatMap((issue) => fieldErrors(issue, body))
      .slice(0, maxListed),
  };
}
