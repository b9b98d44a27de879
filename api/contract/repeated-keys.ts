import type { FieldError } from '../../infra/contract/errors.ts';
import { brief, count, quoted } from '../../infra/contract/quote.ts';

const [quote, backslash, openObject, openList, closeObject, closeList, comma, colon] = Buffer.from('"\\{[}],:');

/**
 * An open object or list. `names`: the names of an object that were read so far; null: it is a list. `now`: the name or
 * index of the current value.
 */
interface Open {
  readonly names: Map<string, number> | null;
  now: string | number;
}

/** End of the string that begins at `from`: its closing quote. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

/** Decodes a JSON name: `"\u0061"` is `a`. */
function nameOf(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

/** `labels[3].name` */
const pathOf = (opened: readonly Open[], name: string): string =>
  brief(
    [...opened.map(({ now }) => now), name]
      .map((each) => (typeof each === 'number' ? `[${each}]` : `.${brief(each)}`))
      .join('')
      .replace(/^\./, ''),
    200,
  );

/**
 * The first name that occurs twice in one object of a JSON text, at any depth; null: none. JSON does not define which
 * of the two counts, and parsers differ. `bytes` must be valid JSON. `skipped` is a value without objects, which is not
 * scanned. The scan is one pass and keeps the names of the open objects only.
 */
export function repeatedKey(
  bytes: Uint8Array,
  skipped: readonly [from: number, to: number] | null = null,
): FieldError | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const opened: Open[] = [];
  let isName = false;
  for (let at = 0; at < text.length; at++) {
    if (at === skipped?.[0]) at = skipped[1];
    const byte = text[at];
    const last = opened.at(-1);
    if (byte === quote) {
      const from = at + 1;
      at = endOfString(text, from);
      if (!isName || !last?.names) continue;
      const name = nameOf(text, from, at);
      const earlier = last.names.get(name);
      if (earlier !== undefined) return repeated(pathOf(opened.slice(0, -1), name), name, earlier, from - 1);
      last.names.set(name, from - 1);
      last.now = name;
    } else if (byte === colon) isName = false;
    else if (byte === comma) {
      if (last?.names) isName = true;
      else if (typeof last?.now === 'number') last.now++;
    } else if (byte === openObject) {
      opened.push({ names: new Map(), now: '' });
      isName = true;
    } else if (byte === openList) {
      opened.push({ names: null, now: 0 });
      isName = false;
    } else if (byte === closeObject || byte === closeList) {
      opened.pop();
      isName = false;
    }
  }
  return null;
}

const repeated = (field: string, name: string, first: number, second: number): FieldError => ({
  field,
  message:
    `The name ${quoted(name)} occurs twice in one object of the body, at bytes ${count(first)} and ${count(second)}: ` +
    'it is not clear which value is meant. Send it once.',
});
