import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Markdown table: first row the head; numbers with `digits` decimals, empty cells for undefined and NaN. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | undefined)[])[],
  digits = 3,
): string {
  const cell = (value: string | number | undefined): string =>
    typeof value === 'number' ? (Number.isNaN(value) ? '' : value.toFixed(digits)) : (value ?? '');
  const line = (cells: readonly (string | number | undefined)[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Writes `results/<name>`; what is markdown is printed too, unless `quiet`. */
export function publish(name: string, text: string, { quiet = false }: { readonly quiet?: boolean } = {}): void {
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + name, text.endsWith('\n') ? text : `${text}\n`);
  if (name.endsWith('.md') && !quiet) console.log(`${text}\n\n→ test/bench/results/${name}\n`);
}

export const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};
