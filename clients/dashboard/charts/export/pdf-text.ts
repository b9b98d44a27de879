/** Codes of characters in the encoding of PDF's standard fonts (WinAnsi, which is Windows-1252). */
const codes = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i)),
    (character, code) => [character, code],
  ),
);
// The fonts have no minus sign. An en dash looks like it.
codes.set('−', codes.get('–')!);

/** The text as a hexadecimal string of PDF; null: a character is not in the standard fonts. */
export function winAnsi(text: string): string | null {
  const bytes = Array.from(text, (character) => codes.get(character));
  if (bytes.some((code) => code === undefined || code < 32)) return null;
  return `<${bytes.map((code) => code!.toString(16).padStart(2, '0')).join('')}>`;
}
