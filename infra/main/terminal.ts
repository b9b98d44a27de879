import { clock, type Progress } from '../embedded/progress.ts';

export { clock };

const live = process.stdout.isTTY;
const quietSeconds = 15;

/** Progress on the terminal: the status is one line that is rewritten; without a terminal, a line every 15 seconds. */
export function createTerminal(
  write: (text: string) => void = (text) => process.stdout.write(text),
  rewritable = live,
): Progress & { done(): void } {
  let shown = false;
  let last = Number.NEGATIVE_INFINITY;
  const clear = (): void => {
    if (shown) write('\r\u001B[2K');
    shown = false;
  };
  return {
    line(text) {
      clear();
      write(`${text}\n`);
    },
    status(text) {
      if (rewritable) {
        clear();
        write(text.slice(0, (process.stdout.columns || 100) - 1));
        shown = true;
      } else if (performance.now() - last > quietSeconds * 1000) {
        last = performance.now();
        write(`${text}\n`);
      }
    },
    done: clear,
  };
}

/** Rows as aligned columns; the first row is the head. Columns whose cells are numbers stand to the right. */
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
