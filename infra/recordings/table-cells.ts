import { RecordingFault } from './fault.ts';

/** Splits a line of a table into its cells, without quotation marks around them. */
export type SplitLine = (line: string) => string[];

const separators = [',', ';', '\t'] as const;
const least = 2;

export const unquoted = (cell: string): string => cell.trim().replaceAll(/^"|"$/g, '');

/** Every way to split a line by one character. A separator within quotation marks separates nothing. */
export const splitWays: readonly SplitLine[] = separators.map((separator) => {
  const quoted = new RegExp(`(?:"[^"]*"|[^${separator}"])*(?:${separator}|$)`, 'g');
  return (line) =>
    line.includes('"')
      ? (line.match(quoted) ?? []).slice(0, -1).map((cell) => unquoted(cell.replace(new RegExp(`${separator}$`), '')))
      : line.split(separator).map(unquoted);
});

/** Some programs write decimal commas, and separate the columns by a comma and a blank. */
const byCommaAndBlank: SplitLine = (line) => line.split(/,\s+/).map(unquoted);

/**
 * The way to split a table by its first line and its first line of numbers. Throws a RecordingFault if commas separate
 * columns and decimals alike.
 */
export function splitWayOf(first: string, numbers: string): SplitLine {
  const split = splitWays.find((each) => each(first).length > least) ?? splitWays[0];
  if (split !== splitWays[0]) return split;
  const count = byCommaAndBlank(numbers).length;
  if (/\d,\d/.test(numbers) && count > least && (first === numbers || count === split(first).length))
    return byCommaAndBlank;
  const [names, values] = [split(first).length, split(numbers).length];
  if (values >= 2 * names - 1)
    throw new RecordingFault(
      'not_readable',
      `Its lines have ${values} values and its heading names ${names} columns: commas separate columns and decimals. ` +
        'Export it with decimal points, or with semicolons between the columns.',
    );
  return split;
}

/** A number with a decimal point or a decimal comma; NaN for other texts. */
export function numberIn(cell: string | undefined): number {
  const text = cell === undefined ? '' : unquoted(cell);
  return text === '' ? Number.NaN : Number(text.replace(',', '.'));
}
