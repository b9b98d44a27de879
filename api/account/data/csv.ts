/**
 * Where spreadsheets take what follows for a formula (OWASP, "CSV Injection"): where a cell begins, also for those that
 * end cells at a semicolon or a tab.
 */
const formulas = /^(?=[=+\-@\t\r])|(?<=[;\t\r\n])(?=[=+\-@])/g;

/** A plain number is no formula, whatever its sign. */
const number = /^-?\d+(\.\d+)?$/;

/**
 * A cell of RFC 4180: quoted where it has to be. What a spreadsheet would work out begins with an apostrophe
 * instead, which spreadsheets read as "this is a text".
 */
function cell(value: string | null): string {
  if (value === null) return '';
  const text = number.test(value) ? value : value.replaceAll(formulas, "'");
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of RFC 4180, its line break included. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(',')}\r\n`;
