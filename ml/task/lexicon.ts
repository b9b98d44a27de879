/** Words of one idea by language, as regular-expression sources over plain text (lower case, no Latin accents). */
export type Lexicon = Readonly<Record<string, readonly string[]>>;

/** Languages without spaces between words: no word boundaries. */
const unspaced = new Set(['zh', 'ja', 'ko']);
const letter = '[\\p{L}\\p{N}]';

/**
 * Letters of scripts with spaces between words. Unicode classes of all letters would make expressions of this size slow
 * to compile.
 */
const letters = 'a-z\\u00df-\\u024f\\u0370-\\u052f';
const narrow = (source: string): string =>
  source
    .replace(/(\[\^?)?\\p\{L\}/g, (_, open?: string) => (open ? open + letters : `[${letters}]`))
    .replaceAll('\\p{N}', '0-9');

/** One source that matches any word of the lexicons; whole words if the language separates words. */
export function anyOf(...lexicons: readonly Lexicon[]): string {
  const spaced: string[] = [];
  const joined: string[] = [];
  for (const lexicon of lexicons) {
    for (const [language, words] of Object.entries(lexicon)) (unspaced.has(language) ? joined : spaced).push(...words);
  }
  const parts = [];
  if (spaced.length > 0) parts.push(`(?<!${letter})(?:${spaced.join('|')})(?!${letter})`);
  if (joined.length > 0) parts.push(`(?:${joined.join('|')})`);
  return narrow(`(?:${parts.join('|')})`);
}

/** Words of a space-separated list. */
export const list = (words: string): string[] => words.trim().split(/\s+/);
export const pattern = (source: string): RegExp => new RegExp(narrow(source), 'gu');
