import { anyOf } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import type { Text } from './text.ts';
import type { Found } from './types.ts';
import { negation, negationAfter } from './words/common.ts';

/** First match without a negation. */
export function first(text: Text, expression: RegExp): Found | null {
  for (const match of text.plain.matchAll(expression)) {
    const to = match.index + match[0].length;
    if (
      !negation.test(text.plain.slice(Math.max(0, match.index - 40), match.index)) &&
      !negationAfter.test(text.plain.slice(to, to + 16))
    ) {
      return { text, from: match.index, to };
    }
  }
  return null;
}

/** Result of the first item that finds something. */
export const some = <T>(items: readonly T[], find: (item: T) => Found | null): Found | null => {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return null;
};

/** A finding that quotes the whole text. */
export const whole = (text: Text): Found => ({ text, from: 0, to: text.plain.length });

const compiled = new Map<Lexicon, RegExp>();
/** True if a text contains any word of a lexicon. */
export const has = (text: Text, lexicon: Lexicon): boolean => {
  const known = compiled.get(lexicon) ?? new RegExp(anyOf(lexicon), 'u');
  compiled.set(lexicon, known);
  return known.test(text.plain);
};
