import { siteHeader } from '../../clients/site/header.ts';
import { escape } from './markup.ts';

/**
 * HTML around every page: one style sheet and the header. `title` and `description` are plain text, `body` is HTML with
 * an element `#content`. `here`: the link of the header that is marked. `script`: address of a script that the page
 * works without.
 */
export const frame = (
  title: string,
  description: string,
  body: string,
  {
    here = null,
    style = 'style',
    script,
  }: {
    readonly here?: Parameters<typeof siteHeader>[0];
    readonly style?: string;
    readonly script?: string;
  } = {},
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
${siteHeader(here)}
${body}
</body>
</html>
`;
