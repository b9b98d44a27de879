import { perCentSign } from '../../../infra/contract/verdict.ts';

/** A fraction as whole per cent, or a dash if it was not measured. */
export const percent = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${Math.round(value * 100)}${perCentSign}` : '–';

/** An interval of fractions, or a dash if one end is unknown. */
export const percentInterval = (interval: readonly (number | null)[] | null | undefined): string => {
  const [low, high] = interval ?? [];
  return typeof low === 'number' && typeof high === 'number'
    ? `${Math.round(low * 100)} to ${Math.round(high * 100)}${perCentSign}`
    : '–';
};

/** A number with at most `digits` decimals, without trailing zeros. */
export const rounded = (value: number | null | undefined, digits = 2): string =>
  typeof value === 'number' ? String(Math.round(value * 10 ** digits) / 10 ** digits) : '–';

/** Text of at most `most` characters, cut with an ellipsis. Never splits a surrogate pair. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/**
 * Names of at most `most` characters. If one of them has to be cut, the words with which all of them begin are left
 * out: `imagined left hand`, `imagined right hand` become `…left hand`, `…right hand`.
 */
export function shortenedApart(names: readonly string[], most: number): string[] {
  const short = names.map((name) => shortened(name, most));
  if (short.every((name, i) => name === names[i])) return short;
  let begin = 0;
  while (names.every((name) => begin < name.length && name[begin] === names[0][begin])) begin++;
  const word = names[0].lastIndexOf(' ', begin - 1) + 1;
  return word === 0 ? short : names.map((name) => shortened(`…${name.slice(word)}`, most));
}

/** A text in at most two lines of about `most` characters, broken between words. The second line may be cut. */
export function wrapped(text: string, most: number): readonly string[] {
  if (Array.from(text).length <= most) return [text];
  const at = text.lastIndexOf(' ', most);
  if (at <= 0) return [shortened(text, most)];
  return [text.slice(0, at), shortened(text.slice(at + 1), most)];
}
