import { siteHeader } from '../../clients/site/header.ts';
import type { Bundle } from './bundle.ts';

const withoutScripts = `The account pages need JavaScript. The interface itself does not: see
<a href="/docs">the documentation</a>.`;

/**
 * The document of all pages, with the header of every page. It contains no script, no style and no account data.
 * `isPrivate`: search engines must not list it.
 */
export function documentOf({ script, preload, style }: Bundle, isPrivate = false): string {
  const parts = preload.map((part) => `<link rel="modulepreload" href="${part}">\n`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isPrivate ? '<meta name="robots" content="noindex, nofollow">\n' : ''}<title>EEG task classifiers</title>
<link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
<link rel="stylesheet" href="${style}">
${parts}<script type="module" src="${script}"></script>
</head>
<body>
${siteHeader(isPrivate ? null : '/dashboard')}
<div id="app"></div>
<noscript>${withoutScripts}</noscript>
</body>
</html>
`;
}
