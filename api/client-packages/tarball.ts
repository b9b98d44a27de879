import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { distFiles, otherFiles } from '../../clients/typescript/scripts/package-files.ts';
import type { Package } from './wheel.ts';

const folder = fileURLToPath(new URL('../../clients/typescript', import.meta.url));

/** The package of the TypeScript client, as `npm pack` makes it. */
export async function npmTarball(): Promise<Package> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const files = new Map<string, Uint8Array>();
  for (const name of otherFiles) files.set(name, await readFile(join(folder, name)));
  for (const [name, content] of await distFiles()) files.set(`dist/${name}`, Buffer.from(content));
  const entries = [...files].flatMap(([name, body]) => [header(`package/${name}`, body.length), padded(body)]);
  // Two empty blocks end an archive.
  const body = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * block)]));
  return { name: `${manifest.name}-${manifest.version}.tgz`, type: 'application/gzip', body };
}

const block = 512;

function padded(body: Uint8Array): Buffer {
  return Buffer.concat([body, Buffer.alloc((block - (body.length % block)) % block)]);
}

/** Header of a plain file in the format ustar (POSIX.1-1988), with npm's own fixed time. */
function header(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is longer than the 100 bytes that a tar header has.`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number): void =>
    void bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  bytes.write(path, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(Date.UTC(1985, 9, 26, 8, 15) / 1000, 136, 12);
  bytes.write(' '.repeat(8), 148);
  bytes.write('0', 156);
  bytes.write('ustar\u000000', 257, 'latin1');
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}
