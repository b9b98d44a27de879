const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A few bytes as text, each byte one character (ISO 8859-1), in Node and in a browser alike. */
export const latin1Text = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export const utf8Text = (bytes: Uint8Array, from: number, to: number): string => utf8.decode(bytes.subarray(from, to));
