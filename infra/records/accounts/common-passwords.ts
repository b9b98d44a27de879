import { createRequire } from 'node:module';
import type * as Published from '@zxcvbn-ts/language-common';
import { passwordCharacters } from '../../contract/limits.ts';

const load = createRequire(import.meta.url);
let known: ReadonlySet<string> | null = null;

/** The published list (MIT), without words that are shorter than the minimum length. Read on first use. */
function commonPasswords(): ReadonlySet<string> {
  if (known) return known;
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof Published;
  const words = dictionary['passwords-common'] as readonly string[];
  return (known = new Set(words.filter((word) => word.length >= passwordCharacters.min)));
}

/**
 * Normalizes a password for the comparison: other case, other width of letters or surrounding spaces make no better
 * password.
 */
export const plainPassword = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Whether a password is in the list of the most common ones, in any case. */
export const isCommonPassword = (password: string): boolean => commonPasswords().has(plainPassword(password));
