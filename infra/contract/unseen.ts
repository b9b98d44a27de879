/**
 * Invisible characters, and characters that change the order of others on the screen: with them two different class
 * names could look the same, or one could look like another. They are controls, line separators, format characters
 * (including bidi controls), fillers and the like (Unicode's Default_Ignorable_Code_Point), and the blank Braille
 * pattern.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Surrogate}\u2800]/u;
const everyUnseen = new RegExp(unseen, 'gu');

/** Scripts that write words with joiners: Persian and Urdu, Syriac, Mongolian, N'Ko and those of South Asia. */
const joiningScripts = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Nko',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Myanmar',
  'Khmer',
  'Tibetan',
];
const isJoined = new RegExp(`^[${joiningScripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]$`, 'u');
const isJoiner = (character: string): boolean => character === '\u200c' || character === '\u200d';

const isEmoji = /^\p{RGI_Emoji}$/v;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Names of characters that keyboards, editors and tools often leave in a text. */
const names: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x09: 'tab',
  0x0a: 'line feed',
  0x0b: 'vertical tab',
  0x0c: 'form feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0x85: 'next line',
  0xad: 'soft hyphen',
  0x34f: 'combining grapheme joiner',
  0x61c: 'Arabic letter mark',
  0x115f: 'Hangul choseong filler',
  0x1160: 'Hangul jungseong filler',
  0x17b4: 'Khmer inherent vowel aq',
  0x17b5: 'Khmer inherent vowel aa',
  0x180e: 'Mongolian vowel separator',
  0x200b: 'zero width space',
  0x200c: 'zero width non-joiner',
  0x200d: 'zero width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2061: 'function application',
  0x2062: 'invisible times',
  0x2063: 'invisible separator',
  0x2064: 'invisible plus',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0x2800: 'Braille pattern blank',
  0x3164: 'Hangul filler',
  0xfe0e: 'variation selector-15',
  0xfe0f: 'variation selector-16',
  0xfeff: 'zero width no-break space',
  0xffa0: 'halfwidth Hangul filler',
};

const kinds: readonly (readonly [RegExp, string])[] = [
  [/\p{Surrogate}/u, 'half of a surrogate pair'],
  [/\p{Cc}/u, 'a control character'],
  [/\p{Variation_Selector}/u, 'a variation selector'],
];

export interface Unseen {
  /** Such as `U+200B (zero width space)`. */
  readonly shown: string;
  /** Position; the first character is 1. */
  readonly place: number;
}

/**
 * Positions of invisible characters that the text does not need. A text needs joiners between two letters of a joining
 * script, and the parts of an emoji of Unicode's list (RGI), such as the joiners of a family.
 */
function* faultsIn(text: string): Generator<{ readonly at: number; readonly character: string }> {
  if (!unseen.test(text)) return;
  for (const { segment, index } of graphemes.segment(text)) {
    if (!unseen.test(segment) || isEmoji.test(segment)) continue;
    for (const { 0: character, index: inside } of segment.matchAll(everyUnseen)) {
      const at = index + inside;
      const isNeeded = isJoiner(character) && isJoined.test(text[at - 1] ?? '') && isJoined.test(text[at + 1] ?? '');
      if (!isNeeded) yield { at, character };
    }
  }
}

const hexOf = (character: string): string => character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');

/** Replaces each character that is forbidden in names by `\u{200B}` notation, for messages. */
export const withUnseenEscaped = (text: string): string => replaced(text, (character) => `\\u{${hexOf(character)}}`);

/** The first character that is forbidden in names; null: there is none. */
export function unseenIn(text: string): Unseen | null {
  const [fault] = faultsIn(text);
  if (!fault) return null;
  const { at, character } = fault;
  const known = names[character.codePointAt(0)!];
  const name = known ?? kinds.find(([kind]) => kind.test(character))?.[1] ?? 'an invisible character';
  return { shown: `U+${hexOf(character)} (${name})`, place: Array.from(text.slice(0, at)).length + 1 };
}

/** Controls that separate words or lines; a space replaces them. */
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Removes the characters that are forbidden in names; a space replaces those that separate words. */
export const withoutUnseen = (text: string): string => replaced(text.replace(breaks, ' '), () => '').trim();

function replaced(text: string, by: (character: string) => string): string {
  let done = '';
  let from = 0;
  for (const { at, character } of faultsIn(text)) {
    done += text.slice(from, at) + by(character);
    from = at + character.length;
  }
  return done + text.slice(from);
}
