/**
 * Places where spreadsheets start to read a formula (OWASP, "CSV Injection"): the start of a cell, also for programs
 * that end cells at a semicolon or a tab.
 */
const formulas = /^(?=[=+\-@\t\r])|(?<=[;\t\r\n])(?=[=+\-@])/g;

/** A plain number is not a formula, whatever its sign. */
const number = /^-?\d+(\.\d+)?$/;

/**
 * A cell of RFC 4180, quoted if necessary. A cell that a spreadsheet would read as a formula begins with an apostrophe,
 * which marks it as text.
 */
function cell(value: string | null): string {
  if (value === null) return '';
  const text = number.test(value) ? value : value.replaceAll(formulas, "'");
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of RFC 4180 with its line break. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(cell).join(',')}\r\n`;
