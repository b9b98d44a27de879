import type { z } from 'zod';
import { limits } from '../../infra/contract/limits.ts';
import { brief, count } from '../../infra/contract/quote.ts';
import { readEnvelope } from '../contract/read-envelope.ts';
import type { Problem } from './problems.ts';
import { unitsProblem } from './units.ts';

type Body = Readonly<Record<string, unknown>>;

/** `channels[3]` → `channels`. */
export const topLevel = (field: string): string => field.split(/[.[]/, 1)[0];

export interface EnvelopeRead<T> {
  /** Validated fields with defaults; null if a field failed. */
  readonly value: T | null;
  readonly problems: readonly Problem[];
  /** The value of a field if that field is valid. */
  valid(field: string): unknown;
}

const tooLong = (body: Body): string[] =>
  Object.keys(body).filter(
    (field) =>
      field !== 'x' && Array.isArray(body[field]) && (body[field] as unknown[]).length > limits.windowsPerRequest,
  );

/** Shortens lists that are too long to validate and reports them. The other fields are still validated. */
function withoutLongLists(body: Body, fields: readonly string[]): { body: Body; problems: Problem[] } {
  if (fields.length === 0) return { body, problems: [] };
  const cut: Record<string, unknown> = { ...body };
  const problems = fields.map((field) => {
    const list = body[field] as unknown[];
    cut[field] = list.slice(0, 1);
    const name = brief(field);
    return {
      field: name,
      message: `${name} has ${count(list.length)} entries; at most ${count(limits.windowsPerRequest)} are allowed.`,
    };
  });
  return { body: cut, problems };
}

/** The fields of a body with more fields are not validated one by one. */
const mostFields = 1_000;

/** Validates every field except the numbers of `x`, in the order of the schema, unknown fields first. */
export function readFields<T extends z.ZodObject>(schema: T, body: Body): EnvelopeRead<z.output<T>> {
  const known = Object.keys(schema.shape);
  const sent = Object.keys(body).length;
  if (sent > mostFields) {
    return {
      value: null,
      problems: [{ field: 'body', message: `The body has ${count(sent)} fields; this request has ${known.length}.` }],
      valid: () => undefined,
    };
  }
  const short = withoutLongLists(body, tooLong(body));
  const read = readEnvelope(schema, short.body);
  const fromSchema: Problem[] = (read.ok ? [] : [...read.errors]).filter(
    ({ field }) => !short.problems.some((problem) => topLevel(field) === problem.field),
  );
  const units = known.includes('units') ? unitsProblem(body.units) : null;
  const problems = [
    ...short.problems,
    ...fromSchema.filter(({ field }) => !(units && field === 'units')),
    ...(units ? [units] : []),
  ];
  const failing = new Set(problems.map(({ field }) => topLevel(field)));
  const defaults = read.ok ? (read.value as Body) : body;
  return {
    value: read.ok && problems.length === 0 ? read.value : null,
    problems,
    valid: (field) => (failing.has(field) ? undefined : defaults[field]),
  };
}

/** Sorts problems by the order of the request's fields. Unknown fields come first. */
export function inFieldOrder(problems: readonly Problem[], known: readonly string[]): Problem[] {
  const rank = ({ field }: Problem) => known.indexOf(topLevel(field));
  return problems
    .map((problem, at) => ({ problem, at }))
    .sort((a, b) => rank(a.problem) - rank(b.problem) || a.at - b.at)
    .map(({ problem }) => problem);
}
