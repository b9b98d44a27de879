import type { z } from 'zod';
import { brief, quoted } from '../../infra/contract/quote.ts';
import { unseenIn } from '../../infra/contract/unseen.ts';

/** A value as quoted in an error message. Long texts are shortened. */
export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object') return 'an object';
  return `${typeof value} ${typeof value === 'string' ? quoted(value, 60) : String(value as number | boolean)}`;
}

const units: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' };
/** Longer texts are measured in code units instead of characters: an exact count does not matter. */
const counted = 10_000;
const sizeOf = (value: unknown): string =>
  typeof value === 'string'
    ? String(value.length > counted ? value.length : Array.from(value).length)
    : Array.isArray(value)
      ? String(value.length)
      : showValue(value);

/** A number, or a number as text in a query, that is too large or too small. */
const showNumber = (value: unknown): string => (typeof value === 'string' ? brief(value, 40) : String(value));

type Describe = (issue: never, value: unknown) => string;

const articles: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
  tuple: 'an array',
};
const a = (expected: string): string => (Object.hasOwn(articles, expected) ? articles[expected] : expected);

const formats: Readonly<Record<string, (field: unknown, value: unknown) => string>> = {
  text(_field, value) {
    const { shown, place } = unseenIn(String(value).normalize('NFC')) ?? { shown: 'an invisible character', place: 1 };
    return `contains ${shown} at character ${place}, which is invisible; received ${showValue(value)}. Remove it.`;
  },
  regex: (field, value) =>
    field === 'before'
      ? `must be the \`next_before\` of a previous page; received ${showValue(value)}.`
      : `must be a whole number; received ${showValue(value)}.`,
};

const describers: Readonly<Record<string, Describe>> = {
  invalid_type: (issue: z.core.$ZodIssueInvalidType, value) =>
    value === undefined
      ? `is required (${a(issue.expected)}).`
      : `must be ${a(issue.expected)}; received ${showValue(value)}.`,
  too_big(issue: z.core.$ZodIssueTooBig, value) {
    const unit = units[issue.origin];
    return unit
      ? `has ${sizeOf(value)} ${unit}; at most ${issue.maximum} are allowed.`
      : `is ${showNumber(value)}; at most ${issue.maximum} is allowed.`;
  },
  too_small(issue: z.core.$ZodIssueTooSmall, value) {
    const unit = units[issue.origin];
    const bound = issue.inclusive ? 'at least' : 'more than';
    const verb = issue.inclusive && unit ? 'are' : 'is';
    return unit
      ? `has ${sizeOf(value)} ${unit}; ${bound} ${issue.minimum} ${verb} needed.`
      : `is ${showNumber(value)}; ${bound} ${issue.minimum} is needed.`;
  },
  invalid_value: (issue: z.core.$ZodIssueInvalidValue, value) =>
    `must be one of ${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}; received ` +
    `${showValue(value)}.`,
  invalid_union: (issue: z.core.$ZodIssueInvalidUnion, value) =>
    issue.path.at(-1) === 'expires_at'
      ? `must be an ISO 8601 date or date-time, such as 2027-01-31 or 2027-01-31T12:00:00Z; received ` +
        `${showValue(value)}.`
      : `has no accepted form; received ${showValue(value)}.`,
  invalid_format: (issue: z.core.$ZodIssueInvalidStringFormat, value) =>
    (Object.hasOwn(formats, issue.format) ? formats[issue.format] : formats.regex)(issue.path.at(-1), value),
  custom: (issue: z.core.$ZodIssueCustom) => issue.message,
} satisfies Record<string, Describe>;

/** What is wrong with a value, as the predicate of a sentence whose subject is the field. */
export const describeIssue = (issue: z.core.$ZodIssue, value: unknown): string =>
  Object.hasOwn(describers, issue.code) ? describers[issue.code](issue as never, value) : `is not accepted.`;

/** The kind of failure. Entries of a list with the same kind are reported together. */
export const wordsOf = (issue: z.core.$ZodIssue): string =>
  `${issue.code} ${issue.code === 'invalid_type' ? issue.expected : issue.message}`;
