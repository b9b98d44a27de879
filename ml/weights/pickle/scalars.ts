import type { Cursor } from '../cursor.ts';
import type { Unread } from './values.ts';

const longestText = 65_536;
const longestNumber = 16;
const utf8 = new TextDecoder();

/** A text; one that is too long for a name is passed over. */
export function text(cursor: Cursor, length: number): string | Unread {
  if (length > longestText) return unread(cursor, length);
  return utf8.decode(cursor.take(length));
}

/** Passes over bytes. */
export function unread(cursor: Cursor, length: number): Unread {
  cursor.take(length);
  return { kind: 'unread' };
}

/** A whole number in little-endian two's complement, as a bigint where a number is not exact; passed over if longer. */
export function wholeNumber(cursor: Cursor, length: number): number | bigint | Unread {
  if (length > longestNumber) return unread(cursor, length);
  const value = cursor.take(length).reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const signed = BigInt.asIntN(8 * length, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}
