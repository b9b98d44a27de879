import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { FileFault, unreadable } from '../downloads/fault.ts';
import { mostBytes } from './store.ts';

/**
 * Reads the weights at `path` whole. Throws a FileFault, which names the file, where they are gone, cannot be read or
 * are not those of that SHA-256: between the start of a process and the first use of a model a file may change.
 */
export async function readWeightsFile(path: string, sha256: string): Promise<Uint8Array> {
  const cannotRead = (error: NodeJS.ErrnoException): never => {
    throw unreadable(path, error);
  };
  const about = await stat(path).catch(cannotRead);
  if (!about.isFile()) throw new FileFault('unreadable', `${path} is not a file.`);
  const { size } = about;
  if (size > mostBytes)
    throw new FileFault('unreadable', `${path} is too large: it has ${size} bytes and at most ${mostBytes} are read.`);
  const bytes = await readFile(path).catch(cannotRead);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256)
    throw new FileFault(
      'not_the_published_file',
      `${path} has changed: its SHA-256 is ${found} and was ${sha256} when the process began.`,
    );
  return bytes;
}
