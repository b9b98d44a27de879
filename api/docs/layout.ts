import { escape } from './markup.ts';

/**
 * HTML around every page: one style sheet. `title` and `description` are plain text, `body` is HTML. `script`: address
 * of a script that the page works without.
 */
export const frame = (
  title: string,
  description: string,
  body: string,
  { style = 'style', script }: { readonly style?: string; readonly script?: string } = {},
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<meta name="description" content="${escape(description)}">
<link rel="icon" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/${style}.css">
${script === undefined ? '' : `<script type="module" src="${script}"></script>\n`}</head>
<body>
${body}
</body>
</html>
`;

/** The navigation at the top of every page. `extra` is a link of some pages. */
export const topLine = (extra = ''): string => `<nav class="top" aria-label="Main">
<a class="brand" href="/">EEG task classifiers</a>
${extra}<a href="/docs">Documentation</a>
<a href="/docs/api">Reference</a>
<a href="/dashboard">Dashboard</a>
</nav>`;

/** The icon in the browser tab: a wave. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1b4f8f"/>' +
  '<path d="M3 18h4l3-9 4 15 4-18 4 17 3-8h4" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/>' +
  '</svg>';
