import type { Problem } from './problems.ts';

export type Parsed =
  | {
      readonly ok: true;
      readonly value: Record<string, unknown>;
      /** Set when NaN or Infinity stood where JSON has no such number. */ readonly notJson?: string;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Strings are matched only to be skipped. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/g;

/** Quotes bare NaN and Infinity, as some JSON writers put them, so that the reader of `x` can say where they are. */
function quoteNonNumbers(text: string): { text: string; found: string[] } {
  const found: string[] = [];
  const quoted = text.replace(tokens, (token) => {
    if (token.startsWith('"')) return token;
    found.push(token);
    return `"${token}"`;
  });
  return { text: quoted, found };
}

const refused = (message: string): Parsed => ({ ok: false, problems: [{ field: 'body', message }] });

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;

function parse(text: string): Parsed {
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    try {
      const quoted = quoteNonNumbers(text);
      if (quoted.found.length > 0) {
        const parsed = asObject(JSON.parse(quoted.text));
        return parsed.ok ? { ...parsed, notJson: quoted.found[0] } : parsed;
      }
    } catch {
      // Not only NaN or Infinity: the first message says where.
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

/** Reads a body as one JSON object. NaN and Infinity become strings, so that they can be named where they are. */
export function parseBody(bytes: Uint8Array): Parsed {
  if (bytes.length === 0) return refused('The body is empty. Send one JSON object.');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refused('The body is not UTF-8. Send one JSON object in UTF-8.');
  }
  return parse(text);
}
