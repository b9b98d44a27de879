import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, stop, type Metafile } from 'esbuild';
import { encoded } from './encoded.ts';

/** Path of the account pages. Each page is a path below it. */
export const pagesPath = '/dashboard';

/** Path of the files of the pages. Their names contain a hash, so that browsers cache them permanently. */
export const assetsPath = `${pagesPath}/assets`;

/** A file of the pages. Its name contains a hash of its content. */
export interface Asset {
  readonly type: string;
  readonly body: Uint8Array;
}

/** The pages, ready to be served. */
export interface Bundle {
  readonly assets: ReadonlyMap<string, Asset>;
  /** Addresses of the files that the document loads. `preload`: the parts that `script` imports before it runs. */
  readonly script: string;
  readonly preload: readonly string[];
  readonly style: string;
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};
const typeOf = (name: string): string => types[name.split('.').at(-1)!] ?? 'application/octet-stream';

const folder = fileURLToPath(new URL('../../clients/dashboard', import.meta.url));
const entries = { main: 'main.tsx', style: 'style.css' };

async function bundle(): Promise<Bundle> {
  try {
    const { outputFiles, metafile } = await build({
      absWorkingDir: folder,
      entryPoints: Object.entries(entries).map(([out, path]) => ({ in: path, out })),
      outdir: folder,
      publicPath: assetsPath,
      entryNames: '[name]-[hash]',
      chunkNames: 'part-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const assets = outputFiles.map(
      ({ path, contents }) => [basename(path), { type: typeOf(path), body: contents }] as const,
    );
    // The first page does not wait for the compression either.
    await Promise.all(assets.map(([, { body }]) => encoded(body, 'br')));
    return { assets: new Map(assets), ...addressesOf(metafile) };
  } finally {
    await stop();
  }
}

function addressesOf({ outputs }: Metafile): Omit<Bundle, 'assets'> {
  const address = (path: string): string => `${assetsPath}/${basename(path)}`;
  const made = (entry: string): string => Object.keys(outputs).find((path) => outputs[path].entryPoint === entry)!;
  const statically = (path: string): string[] =>
    outputs[path].imports
      .filter(({ kind }) => kind === 'import-statement')
      .flatMap((each) => [each.path, ...statically(each.path)]);
  const script = made(entries.main);
  return {
    script: address(script),
    preload: [...new Set(statically(script))].map(address),
    style: address(made(entries.style)),
  };
}

let made: Promise<Bundle> | undefined;

/**
 * Builds and compresses the pages once per process, at its first call: esbuild takes tens of milliseconds in a child
 * process. After a failure the next call tries again.
 */
export function bundlePages(): Promise<Bundle> {
  made ??= bundle().catch((error: unknown) => {
    made = undefined;
    throw error;
  });
  return made;
}
