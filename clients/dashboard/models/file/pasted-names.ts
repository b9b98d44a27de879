/** Names as pasted: a channel and its electrode on each line, divided by a tab, comma, semicolon, `=` or blanks. */
export function pastedNames(text: string, labels: readonly string[]): Record<string, string> {
  const byName = new Map(labels.map((label) => [label.trim().toLowerCase(), label]));
  return Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [left, right] = line
        .trim()
        .split(/\s*[\t,;=]\s*|\s+(?=\S+$)/)
        .map((cell) => cell.trim());
      const label = byName.get((left ?? '').toLowerCase());
      return label !== undefined && right ? [[label, right]] : [];
    }),
  );
}
