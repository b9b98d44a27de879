/** What spreadsheets take for a formula when a cell begins with it (OWASP, "CSV Injection"). */
const formula = /^[=+\-@\t\r]/;

/** A plain number is no formula, whatever its sign. */
const number = /^-?\d+(\.\d+)?$/;

/**
 * A cell of RFC 4180: quoted where it has to be. A text that a spreadsheet would work out begins with an apostrophe
 * instead, which spreadsheets read as "this is a text".
 */
function cell(value: string | null): string {
  if (value === null) return '';
  const text = formula.test(value) && !number.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of RFC 4180, its line break included. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(',')}\r\n`;
