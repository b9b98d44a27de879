import type { Stats } from 'node:fs';

/** Reasons why a published file is missing or unusable on this machine. */
export type FileFaultName =
  | 'no_route'
  | 'refused'
  | 'nothing_there'
  | 'cannot_write'
  | 'interrupted'
  | 'not_the_published_file'
  | 'unreadable';

/** A file that cannot be obtained. The message names the file or its source, and the problem with its numbers. */
export class FileFault extends Error {
  readonly fault: FileFaultName;
  constructor(fault: FileFaultName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileFault';
    this.fault = fault;
  }
}

/** Text of the system error for a file that cannot be read. */
export const unreadable = (at: string, error: NodeJS.ErrnoException): FileFault =>
  new FileFault('unreadable', `${at} cannot be read: ${error.code ?? error.message}.`, { cause: error });

/** Throws a FileFault if the path is not a plain file or the file exceeds the size limit. */
export function requireReadable(at: string, about: Pick<Stats, 'size' | 'isFile'>, most: number): void {
  if (!about.isFile()) throw new FileFault('unreadable', `${at} is not a file.`);
  if (about.size > most)
    throw new FileFault('unreadable', `${at} is too large: it has ${about.size} bytes and at most ${most} are read.`);
}
