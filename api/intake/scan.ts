import { limits } from '../../infra/contract/limits.ts';

/** The top-level field with the maximum of a quantity, and that maximum. */
export interface Maximum {
  /** Position of its name between the quotes, in bytes; null: the maximum is outside of all fields. */
  readonly key: readonly [from: number, to: number] | null;
  readonly amount: number;
}

/** Sizes of a body, measured on its bytes without parsing. They are also valid for bodies that are not JSON. */
export interface Scan {
  /** Top-level fields. */
  readonly fields: number;
  /** Bytes of the longest name of a top-level field. */
  readonly name: number;
  /** Maxima over the fields except `x`: lists, objects and entries; levels of nesting; bytes of the longest text. */
  readonly values: Maximum;
  readonly depth: Maximum;
  readonly text: Maximum;
  /** Values in all these fields. */
  readonly total: number;
  readonly x: XScan;
  /** Position of the value of `x` in bytes, with the blanks around it; null: `x` does not occur exactly once. */
  readonly xValue: readonly [from: number, to: number] | null;
  /** Positions of bare NaN, Infinity and -Infinity: begin and end of each, in bytes. */
  readonly notNumbers: readonly number[];
}

export interface XScan {
  /** Levels of nesting. */
  readonly depth: number;
  /** Entries of the outermost list. */
  readonly trials: number;
  /** Entries of the trials. */
  readonly rows: number;
  /** Entries of the rows and of everything deeper. */
  readonly numbers: number;
  /** Bytes of `x` if it is a text. */
  readonly text: number;
  /** Position of that text between its quotes, in bytes; null: `x` is not a text, or does not occur exactly once. */
  readonly span: readonly [from: number, to: number] | null;
  /** Bytes of the longest text inside its lists. */
  readonly innerText: number;
}

const [other, quote, open, close, comma, colon, letter] = [0, 1, 2, 3, 4, 5, 6];
const kinds = new Uint8Array(256);
for (const [characters, kind] of [
  ['"', quote],
  ['[{', open],
  [']}', close],
  [',', comma],
  [':', colon],
  ['NI', letter],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;

const [quoteByte, backslash, minus, brace, lowerX] = ['"', '\\', '-', '{', 'x'].map((each) => each.charCodeAt(0));

/** This many bytes of a string are examined one by one, which is faster than a search for short strings. */
const shortBytes = 64;

/** End of the string that begins at `from`: its closing quote, or the end of the bytes. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  const searchEnd = Math.min(bytes.length, from + shortBytes);
  while (at < searchEnd && bytes[at] !== quoteByte) at += bytes[at] === backslash ? 2 : 1;
  if (at < searchEnd) return at;
  const quote = bytes.indexOf(quoteByte, at);
  const end = quote < 0 ? bytes.length : quote;
  if (!bytes.subarray(at, end).includes(backslash)) return Math.max(Math.min(at, bytes.length), end);
  while (at < bytes.length && bytes[at] !== quoteByte) at += bytes[at] === backslash ? 2 : 1;
  return Math.min(at, bytes.length);
}

const notNumberWords = ['NaN', 'Infinity'].map((word) => new TextEncoder().encode(word));
/** Number of positions of NaN and Infinity that are kept: more than there can be numbers. */
const mostNotNumbers = 2 * (limits.numbersPerRequest + 1);
const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) => Number(/\w/.test(String.fromCharCode(byte))));

/** End of the bare NaN or Infinity at `at`; 0 if there is none. */
function endOfNotNumber(bytes: Uint8Array, at: number): number {
  if (isWordByte[bytes[at - 1] ?? 0]) return 0;
  for (const word of notNumberWords) {
    let same = 0;
    while (same < word.length && bytes[at + same] === word[same]) same++;
    if (same === word.length && !isWordByte[bytes[at + same] ?? 0]) return at + same;
  }
  return 0;
}

/** Whether a field's name is `x`, which may be written as `\u0078`. */
const isX = (bytes: Uint8Array, from: number, to: number): boolean =>
  to - from === 1
    ? bytes[from] === lowerX
    : to - from === 6 && bytes[from] === backslash && nameIn(bytes, [from, to]) === 'x';

/** A field's name as in the body, at most 100 characters of it. */
export function nameIn(bytes: Uint8Array, [from, to]: readonly [from: number, to: number]): string {
  const raw = new TextDecoder().decode(bytes.subarray(from, Math.min(to, from + 300)));
  if (!raw.includes('\\')) return raw.slice(0, 100);
  try {
    return (JSON.parse(`"${raw}"`) as string).slice(0, 100);
  } catch {
    return raw.slice(0, 100);
  }
}

/** Measures a body in one pass over its bytes. Takes linear time and keeps no copy. */
export function scan(body: Uint8Array): Scan {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let depth = 0;
  let inValue = bytes.find((byte) => kinds[byte] === open) !== brace;
  let [keyFrom, keyTo] = [-1, -1];
  let inX = false;
  const field = { values: 0, depth: 0, text: 0 };
  let [fields, name, total] = [0, 0, 0];
  const none: Maximum = { key: null, amount: 0 };
  const maxima = { values: none, depth: none, text: none };
  const x = { depth: 0, trials: 0, rows: 0, numbers: 0, text: 0, innerText: 0 };
  let [xFields, span]: [number, XScan['span']] = [0, null];
  let [xFrom, xTo] = [0, 0];
  const notNumbers: number[] = [];

  const compare = (size: keyof typeof maxima): void => {
    if (field[size] > maxima[size].amount)
      maxima[size] = { key: keyFrom < 0 ? null : [keyFrom, keyTo], amount: field[size] };
    field[size] = 0;
  };
  const endField = (at: number): void => {
    if (inX) xTo = at;
    if (field.values + field.text > 0) {
      total += field.values;
      compare('values');
      compare('depth');
      compare('text');
    }
    keyFrom = -1;
    inX = false;
    inValue = false;
  };

  for (let at = 0; at < bytes.length; at++) {
    const kind = kinds[bytes[at]];
    if (kind === other) continue;
    if (kind === quote) {
      const from = at + 1;
      at = endOfString(bytes, from);
      const length = at - from;
      if (depth === 1 && !inValue) {
        keyFrom = from;
        keyTo = at;
        name = Math.max(name, length);
      } else if (!inX) field.text = Math.max(field.text, length);
      else if (depth === 1) {
        x.text = Math.max(x.text, length);
        span = [from, at];
      } else x.innerText = Math.max(x.innerText, length);
    } else if (kind === open) {
      if (inX) {
        if (depth === 1) x.trials++;
        else if (depth === 2) x.rows++;
        else x.numbers++;
        x.depth = Math.max(x.depth, depth);
      } else if (depth > 0) {
        field.values++;
        field.depth = Math.max(field.depth, depth);
      }
      depth++;
    } else if (kind === close) {
      depth = Math.max(0, depth - 1);
      if (depth === 0) endField(at);
    } else if (kind === comma) {
      if (depth === 1 && (keyFrom >= 0 || !inValue)) endField(at);
      else if (!inX) field.values++;
      else if (depth === 2) x.trials++;
      else if (depth === 3) x.rows++;
      else if (depth > 3) x.numbers++;
    } else if (kind === colon) {
      if (depth === 1 && !inValue && keyFrom >= 0) {
        fields++;
        inX = isX(bytes, keyFrom, keyTo);
        if (inX) {
          xFields++;
          xFrom = at + 1;
        }
        inValue = true;
      }
    } else {
      const end = endOfNotNumber(bytes, at);
      if (end === 0) continue;
      if (notNumbers.length < mostNotNumbers) notNumbers.push(bytes[at - 1] === minus ? at - 1 : at, end);
      at = end - 1;
    }
  }
  endField(bytes.length);
  const once = xFields === 1;
  const xValue = once ? ([xFrom, xTo] as const) : null;
  return { fields, name, ...maxima, total, x: { ...x, span: once ? span : null }, xValue, notNumbers };
}
