import { readFile } from 'node:fs/promises';

/** TypeScript snippets of a README, in order, but for those under a comment that holds `unless`. */
export async function snippetsOf(file: URL, unless: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  const found = [...text.matchAll(/(<!--[^>]*-->\n)?```ts\n([\s\S]*?)```/g)];
  return found.filter(([, remark]) => !remark?.includes(unless)).map(([, , code]) => code);
}
