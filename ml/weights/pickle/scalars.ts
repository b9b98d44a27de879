import type { Cursor } from '../cursor.ts';
import type { Unread } from './values.ts';

const longestText = 65_536;
const longestNumber = 16;
const utf8 = new TextDecoder();

/** A text. One that is too long for a name is skipped. */
export function text(cursor: Cursor, length: number): string | Unread {
  if (length > longestText) return unread(cursor, length);
  return utf8.decode(cursor.take(length));
}

/** Skips bytes. */
export function unread(cursor: Cursor, length: number): Unread {
  cursor.take(length);
  return { kind: 'unread' };
}

/** An integer in little-endian two's complement; a bigint if a number would not be exact. Longer ones are skipped. */
export function wholeNumber(cursor: Cursor, length: number): number | bigint | Unread {
  if (length > longestNumber) return unread(cursor, length);
  const value = cursor.take(length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const signed = BigInt.asIntN(8 * length, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}
