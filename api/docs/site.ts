import { readFileSync } from 'node:fs';
import { fillIn } from './facts.ts';
import { frame } from './layout.ts';
import { renderMarkdown } from './markdown.ts';
import { escape } from './markup.ts';

export interface DocsPage {
  /** File name in `pages/`, and last part of the address. */
  readonly name: string;
  readonly title: string;
  /** One sentence for the overview. */
  readonly about: string;
}

interface Part {
  readonly title: string;
  readonly pages: readonly DocsPage[];
}

const page = (name: string, title: string, about: string): DocsPage => ({ name, title, about });

/** Every page, in the order of reading. */
export const parts: readonly Part[] = [
  {
    title: 'Begin',
    pages: [
      page('quickstart', 'Quickstart', 'From a key to the first prediction in five minutes.'),
      page('without-code', 'Without code', 'From a recording to labels in the browser.'),
      page('epochs', 'How to epoch', 'Which window to cut for ERP, motor imagery, SSVEP and sleep.'),
      page('units-and-channels', 'Units and channels', 'Volts and microvolts, electrode names, what is refused.'),
    ],
  },
  {
    title: 'Understand',
    pages: [
      page('evidence', 'The evidence', 'What a training report says, with pictures.'),
      page('warnings', 'Warnings', 'Every warning with its meaning and what to do.'),
      page('fooling', 'Ways to fool it', 'Every known way to get a high score from nothing, and what guards it.'),
      page('zero-shot', 'Models without trials', 'Zero-shot models, and what recordings of other people bring.'),
      page('movement-network', 'The movement network', 'Model card of the network that comes with the service.'),
      page('deferred-fits', 'Deferred fits', 'Trials that do not fit into one request.'),
    ],
  },
  {
    title: 'Clients',
    pages: [
      page('python', 'Python', 'Fit MNE Epochs or arrays, as an estimator of scikit-learn.'),
      page('typescript', 'TypeScript', 'Node, Bun and Deno.'),
      page('command-line', 'Command line', 'From a recording to a model without code.'),
    ],
  },
  {
    title: 'Rules',
    pages: [
      page('errors', 'Errors', 'Every code with its status, meaning and fix.'),
      page('retries', 'Retries', 'What to send again, when, and why it costs nothing twice.'),
      page('jobs', 'Long fits', 'Creates and fits that take longer than a connection lasts.'),
      page('billing', 'Billing', 'Prices, what is charged when, refunds.'),
      page('limits', 'Limits', 'Sizes, counts and rates.'),
      page('privacy', 'Privacy', 'What is stored, where, for how long.'),
    ],
  },
];

export const docsPages: readonly DocsPage[] = parts.flatMap(({ pages }) => pages);

/** The model card is a page of the repository too; the trainer of the network writes it. */
const folderOf = (name: string): string => (name === 'movement-network' ? '../../docs' : './pages');

/** The markdown of a page as stored in the repository. */
export const sourceOf = (name: string): string =>
  readFileSync(new URL(`${folderOf(name)}/${name}.md`, import.meta.url), 'utf8');

const siteFolder = '../../clients/site';

/** A style sheet with tokens and header: `style` for the pages, `api-reference` for the page around Scalar. */
export const styleSheet = (name: 'style' | 'api-reference'): string =>
  [`${siteFolder}/tokens`, `${siteFolder}/header`, `./${name}`]
    .map((path) => readFileSync(new URL(`${path}.css`, import.meta.url), 'utf8'))
    .join('\n');

/** The icon in the browser tab and in the header. */
export const icon = (): string => readFileSync(new URL(`${siteFolder}/icon.svg`, import.meta.url), 'utf8');

/** The script of the pages. */
export const pageScript = (): string => readFileSync(new URL('./page-script.js', import.meta.url), 'utf8');

/** A part of a page under one heading, for the search. */
interface Section {
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Every section of every page. */
export const searchSections = (): Section[] =>
  docsPages.flatMap(({ name, title }) => {
    const { html } = renderMarkdown(fillIn(sourceOf(name)));
    return html.split(/(?=<h[123] id=)/).flatMap((part): Section[] => {
      const [, depth, id, heading] = /^<h([123]) id="([^"]*)">(.*?)<\/h\1>/s.exec(part) ?? [];
      if (heading === undefined) return [];
      const url = depth === '1' ? `/docs/${name}` : `/docs/${name}#${id}`;
      return [{ url, page: title, heading: plain(heading), text: plain(part) }];
    });
  });

function contents(current: DocsPage | null, headings: string): string {
  const link = (each: DocsPage): string =>
    each === current
      ? `<li><a href="/docs/${each.name}" aria-current="page">${escape(each.title)}</a>${headings}</li>`
      : `<li><a href="/docs/${each.name}">${escape(each.title)}</a></li>`;
  const lists = parts.map(
    ({ title, pages }) => `<h2>${escape(title)}</h2>\n<ul>\n${pages.map(link).join('\n')}\n</ul>`,
  );
  return (
    `<nav class="contents" id="contents" aria-label="Documentation">\n${lists.join('\n')}\n` +
    `<h2>Reference</h2>\n<ul><li><a href="/docs/api">API reference</a></li>` +
    `<li><a href="/openapi.json">openapi.json</a></li></ul>\n</nav>`
  );
}

/** Links to the previous and the next page in the order of reading. */
function neighbours(current: DocsPage): string {
  const at = docsPages.indexOf(current);
  const link = (to: DocsPage | undefined, words: string): string =>
    to ? `<a href="/docs/${to.name}">${words}: ${escape(to.title)}</a>` : '<span></span>';
  return `<nav class="neighbours" aria-label="Before and after">${link(docsPages[at - 1], 'Before')}${link(docsPages[at + 1], 'Next')}</nav>`;
}

const shell = (title: string, about: string, main: string, side: string): string =>
  frame(
    `${title} · EEG task classifiers`,
    about,
    `<nav class="to-contents" aria-label="On this page"><a href="#contents">Contents and search</a></nav>
<div class="page">
<main id="content" tabindex="-1">
${main}
</main>
${side}
</div>`,
    { here: '/docs', script: '/docs/page.js' },
  );

/** One page as HTML. */
export function renderPage(current: DocsPage): string {
  const { html, headings } = renderMarkdown(fillIn(sourceOf(current.name)));
  const inside = headings.filter(({ depth }) => depth === 2);
  const list = inside.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`).join('');
  return shell(
    current.title,
    current.about,
    html + neighbours(current),
    contents(current, list && `\n<ul>${list}</ul>`),
  );
}

/** `/docs`: the list of pages. */
export function renderOverview(): string {
  const { html } = renderMarkdown(fillIn(sourceOf('index')));
  const lists = parts.map(
    ({ title, pages }) =>
      `<h2>${escape(title)}</h2>\n<ul>${pages
        .map(
          ({ name, title: words, about }) => `<li><a href="/docs/${name}">${escape(words)}</a>: ${escape(about)}</li>`,
        )
        .join('\n')}</ul>`,
  );
  return shell(
    'Documentation',
    'How to build and use EEG classifiers with this service.',
    html + lists.join('\n'),
    contents(null, ''),
  );
}
