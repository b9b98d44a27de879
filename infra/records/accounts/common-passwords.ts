import { createRequire } from 'node:module';
import type * as Published from '@zxcvbn-ts/language-common';
import { passwordCharacters } from '../../contract/limits.ts';

const load = createRequire(import.meta.url);
let known: ReadonlySet<string> | null = null;

/** The published list (MIT), without words that are too short to be a password here. Read at the first use alone. */
function commonPasswords(): ReadonlySet<string> {
  if (known) return known;
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof Published;
  const words = dictionary['passwords-common'] as readonly string[];
  return (known = new Set(words.filter((word) => word.length >= passwordCharacters.min)));
}

/** A password as it is compared: other case, other width of letters and blanks around it make no better password. */
export const plainPassword = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** Whether a password stands in the list of the most common ones, whatever its case. */
export const isCommonPassword = (password: string): boolean => commonPasswords().has(plainPassword(password));
