import { readFile, readdir, mkdir, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));

/**
 * Files of the built client by their path in `dist`: JavaScript without types, and the declarations of `types`. It
 * needs Node alone, so that a folder without installed packages and a service can build the package.
 */
export async function distFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of (await readdir(join(folder, 'src'))).sort()) {
    const source = await readFile(join(folder, 'src', name), 'utf8');
    files.set(name.replace(/\.ts$/, '.js'), toJs(stripTypeScriptTypes(source).replaceAll(/[ \t]+$/gm, '')));
  }
  for (const name of (await readdir(join(folder, 'types'))).sort())
    files.set(name, toJs(await readFile(join(folder, 'types', name), 'utf8')));
  return files;
}

/** Imports name the built files. */
const toJs = (code: string): string => code.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");

/** Files of the package besides `dist`. */
export const otherFiles = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'] as const;

if (import.meta.main) {
  for (const [name, content] of await distFiles()) {
    const path = join(folder, 'dist', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
