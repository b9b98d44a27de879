import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the scripts that serve and the image have the same settings of the memory allocator', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };
  const texts = [
    ...['demo', 'start', 'api', 'worker'].map((name) => scripts[name]!),
    read('infra/deploy/Containerfile'),
  ];
  const settings = texts.map((text) => /GLIBC_TUNABLES=(\S+)/.exec(text)?.[1]);
  expect(settings[0]).toContain('glibc.malloc.mmap_threshold=');
  expect(new Set(settings).size).toBe(1);
});
