import type { z } from 'zod';
import { withoutUnseen } from '../../infra/contract/unseen.ts';

/**
 * Corrects a value that has only one possible meaning: `"true"` is `true`, `"250"` is `250`, the number 7 is the text
 * `"7"`. undefined if there is no such correction.
 */
export type Reading = (issue: z.core.$ZodIssue, value: unknown) => unknown;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
]);
const isNumeral = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i;

function numberOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 40 || !isNumeral.test(value.trim())) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

const byType: Readonly<Record<string, (value: unknown) => unknown>> = {
  boolean: (value) =>
    typeof value === 'string' || typeof value === 'number' ? booleans.get(String(value).toLowerCase()) : undefined,
  number: numberOf,
  int(value) {
    const number = numberOf(value);
    return Number.isInteger(number) ? number : undefined;
  },
  string: (value) => (isPlain(value) ? String(value) : undefined),
};

const latestSeconds = 253_402_300_799;

/** A date and a time as other tools write them: with blanks, small letters, or offsets without a colon. */
const nearIso = /^(\d{4}-\d\d-\d\d)[ Tt](\d\d:\d\d[\d:.]*) ?([Zz]|[+-]\d\d(?::?\d\d)?|)$/;

/** Converts `2027-01-31 12:00` with a blank, `+0100` without a colon, or Unix seconds to ISO 8601. */
function instantOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1e9 && value <= latestSeconds)
    return new Date(value * 1000).toISOString();
  const parts = typeof value === 'string' && value.length < 60 ? nearIso.exec(value) : null;
  if (!parts) return undefined;
  const [, date, time, offset] = parts;
  const colon = offset.length > 1 ? `${offset.slice(0, 3)}:${offset.slice(3).replace(':', '') || '00'}` : offset;
  return `${date}T${time}${colon.toUpperCase()}`;
}

/** Too large values of these fields are corrected to the maximum: later requests get the rest. */
const servedInParts: ReadonlySet<PropertyKey> = new Set(['limit']);

const readings: Readonly<Record<string, Reading>> = {
  invalid_type: (issue, value) => byType[(issue as z.core.$ZodIssueInvalidType).expected]?.(value),
  invalid_value(issue, value) {
    const { values } = issue as z.core.$ZodIssueInvalidValue;
    const text = typeof value === 'string' ? value.trim().toLowerCase() : null;
    return values.find((allowed) => typeof allowed === 'string' && allowed.toLowerCase() === text);
  },
  invalid_format(issue, value) {
    const { format } = issue as z.core.$ZodIssueInvalidStringFormat;
    return format === 'text' ? withoutUnseen(String(value)) || undefined : undefined;
  },
  invalid_union: (issue, value) => (issue.path.at(-1) === 'expires_at' ? instantOf(value) : undefined),
  custom(issue, value) {
    const { params } = issue as z.core.$ZodIssueCustom;
    const distinct = params?.['distinct'] === true ? [...new Set(value as readonly unknown[])] : [];
    return distinct.length > 1 ? distinct : undefined;
  },
  too_small: (issue, value) => (issue.path.at(-1) === 'baseline_seconds' && value === 0 ? null : undefined),
  too_big(issue, value) {
    if (!servedInParts.has(issue.path.at(-1) ?? '')) return undefined;
    const { maximum } = issue as z.core.$ZodIssueTooBig;
    return typeof value === 'string' ? String(maximum) : maximum;
  },
};

export const exactReading: Reading = (issue, value) =>
  Object.hasOwn(readings, issue.code) ? readings[issue.code](issue, value) : undefined;
