import { withUnseenEscaped } from './unseen.ts';

/** Characters of a caller's text that an error message repeats. */
const quotedCharacters = 80;

/** The beginning of a text in whole characters, with an ellipsis if it was longer. */
export function brief(text: string, most: number = quotedCharacters): string {
  if (text.length <= most) return text;
  const characters = Array.from(text.slice(0, 2 * most + 2));
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** The same in quotes with unprintable characters escaped: how an error message repeats a caller's text. */
export const quoted = (text: string, most: number = quotedCharacters): string =>
  withUnseenEscaped(JSON.stringify(brief(text, most)));

/** The first names of a list, and how many more there are. */
export function briefList(names: readonly string[], most = 12): string {
  const shown = names.slice(0, most).map((name) => brief(name, 40));
  return shown.join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');
}

/** A number with thousands separators: 4000000 → `4,000,000`. */
export const count = (value: number): string => value.toLocaleString('en-US');
