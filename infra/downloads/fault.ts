import type { Stats } from 'node:fs';

/** What can keep a published file away from this machine, or wrong on it. */
export type FileFaultName =
  | 'no_route'
  | 'refused'
  | 'nothing_there'
  | 'cannot_write'
  | 'interrupted'
  | 'not_the_published_file'
  | 'unreadable';

/** Why a file cannot be had; the message names the file or where it comes from, and the fault with its numbers. */
export class FileFault extends Error {
  readonly fault: FileFaultName;
  constructor(fault: FileFaultName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileFault';
    this.fault = fault;
  }
}

/** What the system says of a file that cannot be read. */
export const unreadable = (at: string, error: NodeJS.ErrnoException): FileFault =>
  new FileFault('unreadable', `${at} cannot be read: ${error.code ?? error.message}.`, { cause: error });

/** Throws a FileFault where what lies at `at` is no file, or has more bytes than are read. */
export function requireReadable(at: string, about: Pick<Stats, 'size' | 'isFile'>, most: number): void {
  if (!about.isFile()) throw new FileFault('unreadable', `${at} is not a file.`);
  if (about.size > most)
    throw new FileFault('unreadable', `${at} is too large: it has ${about.size} bytes and at most ${most} are read.`);
}
