/** Normalised text (lower case, compatibility forms, no Latin accents), with a map back to the original. */
export interface Text {
  readonly original: string;
  readonly plain: string;
  /** The original text of `plain` in [from, to). */
  quote(from: number, to: number): string;
}

const accents = /[\u0300-\u036f]/g;
const apostrophes = /[\u2018\u2019\u02bc\u00b4`]/g;

const plainOf = (character: string): string =>
  character
    .normalize('NFKC')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(apostrophes, "'")
    .replace(/_/g, ' ')
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFC');

/** Normalises a text character by character, so that evidence can be quoted from the original. */
export function readText(written: string): Text {
  const original = written.normalize('NFC');
  const places: number[] = [];
  let plain = '';
  let at = 0;
  for (const character of original) {
    const folded = plainOf(character);
    for (let i = 0; i < folded.length; i++) places.push(at);
    plain += folded;
    at += character.length;
  }
  places.push(original.length);
  return {
    original,
    plain,
    quote: (from, to) => original.slice(places[from], places[Math.min(to, places.length - 1)]).trim(),
  };
}

/** The text with every match of `pattern` masked. Positions stay the same. */
export const without = (text: Text, pattern: RegExp): Text => ({
  ...text,
  plain: text.plain.replace(pattern, (match) => '\ue000'.repeat(match.length)),
});
