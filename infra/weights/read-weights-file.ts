import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { FileFault, requireReadable, unreadable } from '../downloads/fault.ts';
import { mostBytes } from './store.ts';

/**
 * Reads the whole file of weights at `path` and checks its SHA-256: a file may change between the start of a process
 * and the first use of a model. Throws a FileFault that names the file if it is missing, unreadable, not a plain file,
 * or has another hash. The call is synchronous and needs a thread of its own. An asynchronous read from storage that
 * does not respond would block one of the few threads that read all files of the process.
 */
export function readWeightsFile(path: string, sha256: string): Uint8Array {
  const bytes = readWhole(path);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256)
    throw new FileFault(
      'not_the_published_file',
      `${path} has changed: its SHA-256 is ${found} and was ${sha256} when the process began.`,
    );
  return bytes;
}

function readWhole(path: string): Uint8Array {
  let file: number | undefined;
  try {
    // Non-blocking: opening a pipe would otherwise wait until another process writes to it.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const about = fstatSync(file);
    requireReadable(path, about, mostBytes);
    const bytes = Buffer.allocUnsafeSlow(about.size);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } catch (error) {
    throw error instanceof FileFault ? error : unreadable(path, error as NodeJS.ErrnoException);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
