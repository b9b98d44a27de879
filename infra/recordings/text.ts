const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const western = new TextDecoder('latin1');

/** A few bytes as text, each byte one character (ISO 8859-1), in Node and in a browser alike. */
export const latin1Text = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Decodes UTF-8; null if the bytes are not valid UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes Latin-1 as browsers and recorders use it (Windows code page 1252). */
export const westernText = (bytes: Uint8Array): string => western.decode(bytes);

/** UTF-8 where the bytes are valid UTF-8, else Latin-1. */
export const eitherText = (bytes: Uint8Array): string => utf8Text(bytes) ?? westernText(bytes);

/** Text of a file for a message: at most 40 characters, without unprintable ones. */
export const shown = (text: string): string =>
  text
    .trim()
    .slice(0, 40)
    .replaceAll(/[^ -~µμ]/g, '?');
