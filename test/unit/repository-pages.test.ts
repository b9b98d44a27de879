import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(new URL('../../docs', import.meta.url)).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

it('README has at most 700 words, and CONTRIBUTING and CHANGELOG fit on three screens', () => {
  expect(read('README.md').split(/\s+/).length).toBeLessThanOrEqual(700);
  expect(read('CONTRIBUTING.md').split('\n').length).toBeLessThanOrEqual(100);
  expect(read('CHANGELOG.md').split('\n').length).toBeLessThanOrEqual(120);
});

it('docs/settings.md lists exactly the variables that the service reads', () => {
  const source = ['config.ts', 'config-values.ts'].map((name) => read(`infra/drivers/${name}`)).join('');
  const isRead = [...source.matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)].map(([, name]) => name!);
  const rows = read('docs/settings.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!));
  expect(new Set(listed)).toEqual(new Set(isRead));
});

/** The anchor that a heading gets. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

it.each(pages)('links of %s lead to existing pages and headings', (page) => {
  for (const [, target] of read(page).matchAll(/\]\(([^)]+)\)/g)) {
    if (/^https?:/.test(target!)) continue;
    const [path, hash] = target!.split('#');
    const file = path
      ? new URL(path, new URL(`../../${dirname(page)}/`, import.meta.url))
      : new URL(`../../${page}`, import.meta.url);
    const text = readFileSync(file, 'utf8');
    if (hash)
      expect(
        [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading!)),
        target,
      ).toContain(hash);
  }
});
