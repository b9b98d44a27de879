/** The links in the header of every page, in their order. */
const headerLinks = [
  { address: '/docs', words: 'Docs' },
  { address: '/docs/api', words: 'API reference' },
  { address: '/dashboard', words: 'Dashboard' },
] as const;

type HeaderAddress = (typeof headerLinks)[number]['address'];

/**
 * The top of every page as HTML, one landmark (the API reference brings a header of its own): a link that skips to
 * `#content`, the name of the service, and the links. `here`: the link of the part that the page belongs to; null: it
 * belongs to none.
 */
export function siteHeader(here: HeaderAddress | null): string {
  const links = headerLinks.map(
    ({ address, words }) =>
      `<li><a href="${address}"${address === here ? ' aria-current="true"' : ''}>${words}</a></li>`,
  );
  return `<a class="skip" href="#content">Skip to content</a>
<nav class="top" aria-label="Main">
<a class="brand" href="/"><img src="/docs/icon.svg" width="24" height="24" alt=""><span>EEG task classifiers</span></a>
<ul>
${links.join('\n')}
</ul>
</nav>`;
}
