/** The trimmed text of a form field. */
export function formText(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
