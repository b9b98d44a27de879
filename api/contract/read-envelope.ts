import { z } from 'zod';
import type { FieldError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { brief, quoted } from '../../infra/contract/quote.ts';
import { describeIssue, showValue, wordsOf } from './describe-issue.ts';
import { exactReading } from './exact-reading.ts';
import { unknownField } from './unknown-field.ts';
import { unknownParameter } from './unknown-parameter.ts';

export type Envelope<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly FieldError[] };
type Issue = z.core.$ZodIssue;

/** Fields that are rejected with their own message, and whether the request means the same without them. */
const refusedFields: Readonly<Record<string, { readonly words: string; readonly idle: boolean }>> = {
  model: {
    words:
      'There is no parameter that selects a model, size or method: the service tries every compatible method ' +
      'and keeps the best.',
    idle: true,
  },
  mode: {
    words: '`mode` is only used with the value "zero_shot"; leave it out when you send labelled trials.',
    idle: false,
  },
};

/** `['channels', 3]` → `channels[3]`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : name ? `${name}.${String(key)}` : String(key)),
    '',
  );
}

const at = (body: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    body,
  );

/** If there are more unknown fields or parameters, none gets a suggestion. */
const mostExplained = 100;

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, body: unknown, schema: z.ZodType): FieldError[] {
  return issue.keys.map((key, count) => {
    const field = fieldName([...issue.path, brief(key)]);
    if (count < mostExplained && issue.path[0] === 'parameters' && schema instanceof z.ZodObject)
      return unknownParameter(field, key, at(body, ['parameters']) as object, schema.shape);
    if (issue.path.length === 0 && Object.hasOwn(refusedFields, key)) {
      const { words, idle } = refusedFields[key];
      const leaves = idle || at(body, [key]) === null;
      return { field, message: `${field}: ${words}`, ...(leaves ? { alternatives: [{ [key]: null }] } : {}) };
    }
    return count < mostExplained &&
      issue.path.length === 0 &&
      schema instanceof z.ZodObject &&
      Object.hasOwn(body as object, field)
      ? unknownField(field, body as Readonly<Record<string, unknown>>, schema.shape)
      : { field, message: `${field}: is not a field of this request.` };
  });
}

/** One issue of a field: what is wrong, and the correction if only one is possible. */
function oneFault(issue: Issue, body: unknown): FieldError {
  const value = at(body, issue.path);
  const field = fieldName(issue.path) || 'body';
  if (field === 'body') return { field, message: `The body must be one JSON object; received ${showValue(value)}.` };
  const fix = exactReading(issue, value);
  return {
    field,
    message: `${field} ${describeIssue(issue, value)}`,
    ...(fix === undefined ? {} : { alternatives: [fix] }),
  };
}

/** The list and the kind of failure of one entry's issue; null for other issues. */
const listOf = (issue: Issue): string | null =>
  typeof issue.path.at(-1) === 'number' && issue.code !== 'unrecognized_keys'
    ? `${fieldName(issue.path.slice(0, -1))} ${wordsOf(issue)}`
    : null;

/** Merges the same failure of several entries of one list. The fix contains the whole list. */
function listFault(issues: readonly Issue[], body: unknown): FieldError {
  const [first] = issues;
  const path = first.path.slice(0, -1);
  const field = fieldName(path);
  const list = at(body, path) as readonly unknown[];
  const fixed = new Map(issues.map((issue) => [issue.path.at(-1), exactReading(issue, at(body, issue.path))]));
  const mended = list.map((value, index) => (fixed.has(index) ? fixed.get(index) : value));
  const distinct = (values: readonly unknown[]): number => new Set(values).size;
  const sure = [...fixed.values()].every((value) => value !== undefined) && distinct(mended) === distinct(list);
  return {
    field,
    message:
      `${issues.length} of the ${list.length} entries of ${field} fail alike: ${oneFault(first, body).message}` +
      (typeof fixed.get(first.path.at(-1)) === 'string'
        ? ` Send each as a text, such as ${quoted(String(fixed.get(first.path.at(-1))))}.`
        : ''),
    ...(sure ? { alternatives: [mended] } : {}),
  };
}

/** The built-in bound of integers. The field's own bound says more. */
const isBoundOfIntegers = (issue: Issue): boolean =>
  (issue.code === 'too_big' && issue.maximum === Number.MAX_SAFE_INTEGER) ||
  (issue.code === 'too_small' && issue.minimum === Number.MIN_SAFE_INTEGER);

/** The first meaningful issue of each field. */
const onePerField = (found: readonly Issue[]): Issue[] =>
  [...Map.groupBy(found, (issue) => (issue.code === 'unrecognized_keys' ? issue : fieldName(issue.path))).values()].map(
    (issues) => issues.find((issue) => !isBoundOfIntegers(issue)) ?? issues[0],
  );

/** Every failing field once. Entries of a list with the same failure are merged. */
function faultsOf(found: readonly Issue[], body: unknown, schema: z.ZodType): FieldError[] {
  const issues = onePerField(found);
  const lists = Map.groupBy(issues, listOf);
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return unknownKeys(issue, body, schema);
    const alike = lists.get(listOf(issue))!;
    if (listOf(issue) === null || alike.length === 1) return [oneFault(issue, body)];
    return alike[0] === issue ? [listFault(alike, body)] : [];
  });
}

const longLists = (body: object): FieldError[] =>
  Object.entries(body).flatMap(([field, value]) =>
    field !== 'x' && Array.isArray(value) && value.length > limits.windowsPerRequest
      ? [
          {
            field: brief(field),
            message: `${brief(field)} has ${value.length} entries; at most ${limits.windowsPerRequest} are allowed.`,
          },
        ]
      : [],
  );

/**
 * Validates a parsed JSON body (or query) against a schema. Lists every failing field with the received value and the
 * limit. `alternatives` contain the correction if only one is possible. An object among them is merged into the request
 * (null removes a field).
 */
export function readEnvelope<T extends z.ZodType>(schema: T, body: unknown): Envelope<z.output<T>> {
  if (typeof body === 'object' && body !== null) {
    const errors = longLists(body);
    if (errors.length) return { ok: false, errors };
  }
  const read = schema.safeParse(body);
  if (read.success) return { ok: true, value: read.data };
  return { ok: false, errors: faultsOf(read.error.issues, body, schema) };
}
