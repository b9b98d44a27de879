import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { highlight } from '../../api/docs/highlight.ts';
import { renderMarkdown } from '../../api/docs/markdown.ts';
import { docsPages, sourceOf } from '../../api/docs/site.ts';
import { fillIn } from '../../api/docs/facts.ts';

const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&');

it.each(['python', 'ts', 'sh', 'json', 'text'])(
  '%s keeps every character when it is coloured, markup too',
  (language) => {
    const code = `x = "<b>&amp;</b>" # it's 'new'\ncurl -H "Authorization: Bearer $EEG_API_KEY" <file >out\n`;
    const html = highlight(code, language);
    expect(plain(html)).toBe(code);
    expect(html).not.toContain('<b>');
    expect(html.includes('hljs-')).toBe(language !== 'text');
  },
);

it("the reader's key is marked where examples use it, and nowhere else", () => {
  const html = highlight('export EEG_API_KEY=eeg_test_…\ncurl -H "Bearer $EEG_API_KEY" # EEG_API_KEY', 'sh');
  expect([...html.matchAll(/<span class="own-key">([^<]*)</g)].map(([, text]) => text)).toEqual([
    'eeg_test_…',
    '$EEG_API_KEY',
  ]);
});

const css = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Relative luminance and contrast of WCAG 2.2. */
function luminance(hex: string): number {
  const digits = hex
    .slice(1)
    .match(hex.length === 4 ? /./g : /../g)!
    .map((each) => each.padEnd(2, each));
  const [r, g, b] = digits.map((each) => {
    const part = Number.parseInt(each, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}
const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high! + 0.05) / (low! + 0.05);
};

const [light, dark] = css('clients/site/tokens.css')
  .split('@media')
  .map((part) =>
    Object.fromEntries([...part.matchAll(/--([\w-]+):\s*(#[0-9a-f]{3,6});/g)].map(([, a, b]) => [a!, b!])),
  );

it.each([
  ['light', light!],
  ['dark', { ...light, ...dark }],
] as const)('in the %s, every colour of text and code has a contrast of at least 4.5', (_name, tokens) => {
  const texts = ['ink', 'quiet', 'accent', ...Object.keys(tokens).filter((name) => name.startsWith('code-'))];
  for (const text of texts)
    for (const back of ['ground', 'card', 'soft'])
      expect(contrast(tokens[text]!, tokens[back]!), `${text} on ${back}`).toBeGreaterThanOrEqual(4.5);
  for (const name of ['good', 'warn', 'bad'])
    expect(contrast(tokens[name]!, tokens[`${name}-back`]!), name).toBeGreaterThanOrEqual(4.5);
  for (const back of ['accent-full', 'accent-hover', 'bad-full'])
    expect(contrast(tokens['on-accent']!, tokens[back]!), back).toBeGreaterThanOrEqual(4.5);
});

it('the style sheet has a colour for every kind of part that a page shows', () => {
  const used = docsPages.flatMap(({ name }) =>
    [...renderMarkdown(fillIn(sourceOf(name))).html.matchAll(/class="(hljs-[\w-]+)/g)].map(([, kind]) => kind!),
  );
  const sheet = css('api/docs/style.css');
  expect([...new Set(used)].filter((kind) => !sheet.includes(`.${kind}`))).toEqual([]);
});
