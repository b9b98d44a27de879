/** Names for a sentence: the first eight, and how many more there are. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');

/** `1 trial is`, `3 trials are`. */
export const countOf = (count: number, noun: string): string =>
  count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`;
