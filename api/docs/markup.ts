const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Text as it stands in HTML. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]);
