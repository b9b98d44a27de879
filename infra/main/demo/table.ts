/** Formats rows as aligned columns; the first row is the header. Columns of numbers are right-aligned. */
export function formatTable(rows: readonly (readonly string[])[], indent = '  '): string {
  const columns = rows[0].map((_, i) => rows.map((row) => row[i] ?? ''));
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const right = columns.map((cells) => cells.slice(1).every((cell) => /^[-\d.,%$ s]*$/.test(cell)));
  const lines = rows.map(
    (row) =>
      indent +
      row
        .map((cell, i) => (right[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
        .join('  ')
        .trimEnd(),
  );
  return [lines[0], indent + widths.map((width) => '─'.repeat(width)).join('  '), ...lines.slice(1)].join('\n');
}
