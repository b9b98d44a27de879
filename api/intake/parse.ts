import { repeatedKey } from '../contract/repeated-keys.ts';
import { boundProblems } from './bounds.ts';
import type { Problem } from './problems.ts';
import type { Scan } from './scan.ts';

export type Parsed =
  | {
      readonly ok: true;
      readonly value: Record<string, unknown>;
      /** The first bare NaN or Infinity of a body that contains them. */
      readonly notJson?: string;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const quoteByte = 0x22;

/** Puts quotes around the given places, so that JSON without numbers at these places can be parsed. */
function quoted(bytes: Uint8Array, places: readonly number[]): Uint8Array {
  const out = new Uint8Array(bytes.length + places.length);
  let from = 0;
  places.forEach((to, index) => {
    out.set(bytes.subarray(from, to), from + index);
    out[to + index] = quoteByte;
    from = to;
  });
  out.set(bytes.subarray(from), from + places.length);
  return out;
}

const refused = (message: string): Parsed => ({ ok: false, problems: [{ field: 'body', message }] });

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** Parses NaN and Infinity as strings, so that the reader of `x` can report their places. */
function parseQuoted(bytes: Uint8Array, notNumbers: readonly number[]): Parsed {
  const parsed = asObject(JSON.parse(decode(quoted(bytes, notNumbers))));
  return parsed.ok ? { ...parsed, notJson: decode(bytes.subarray(notNumbers[0], notNumbers[1])) } : parsed;
}

function parse(bytes: Uint8Array, text: string, notNumbers: readonly number[]): Parsed {
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    try {
      if (notNumbers.length > 0) return parseQuoted(bytes, notNumbers);
    } catch {
      // The body has a second error. The first message names its place.
    }
    const reason =
      error instanceof Error
        ? error.message.replace(/ in JSON|"[^"]*"\.\.\.|, \.\.\.?"[^]*"|is not valid JSON/g, '').trim()
        : '';
    return refused(`The body is not JSON: ${reason.slice(0, 160)}. Send one JSON object.`);
  }
}

const asObject = (value: unknown): Parsed =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ok: true, value: value as Record<string, unknown> }
    : refused(`The body must be one JSON object; received ${kindOf(value)}.`);

/**
 * Parses a body as one JSON object, after `sizes` (from `scan`) have shown that this takes little memory. NaN and
 * Infinity become strings, so that an error can name their places. Rejects a name that occurs twice.
 */
export function parseBody(bytes: Uint8Array, sizes: Scan): Parsed {
  if (bytes.length === 0) return refused('The body is empty. Send one JSON object.');
  const problems = boundProblems(sizes, bytes);
  if (problems.length > 0) return { ok: false, problems };
  let text: string;
  try {
    text = decode(bytes);
  } catch {
    return refused('The body is not UTF-8. Send one JSON object in UTF-8.');
  }
  const parsed = parse(bytes, text, sizes.notNumbers);
  const repeated = parsed.ok ? repeatedKey(bytes, sizes.xValue) : null;
  return repeated ? { ok: false, problems: [repeated] } : parsed;
}
