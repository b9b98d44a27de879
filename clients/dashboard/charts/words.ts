/** A share as whole per cent, or a dash where it could not be measured. */
export const percent = (value: number | null | undefined): string =>
  typeof value === 'number' ? `${Math.round(value * 100)} %` : '–';

/** An interval of shares; a dash where one end is not known. */
export const percentInterval = (interval: readonly (number | null)[] | null | undefined): string => {
  const [low, high] = interval ?? [];
  return typeof low === 'number' && typeof high === 'number'
    ? `${Math.round(low * 100)} to ${Math.round(high * 100)} %`
    : '–';
};

/** A number with at most `digits` decimals, without trailing zeros. */
export const rounded = (value: number | null | undefined, digits = 2): string =>
  typeof value === 'number' ? String(Math.round(value * 10 ** digits) / 10 ** digits) : '–';

/** Text of at most `most` characters, cut with an ellipsis; whole characters, never half of a pair. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
