import { StoreUnavailable } from './bytes.ts';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
export const isTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST';

/** Whether the file system supports no hard links. */
export const hasNoLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '');

export async function orMissing<T, M>(work: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}

/** Errors that waiting does not resolve. */
const refusals = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR']);

/** Converts an error of the disk to a StoreUnavailable; returns other errors unchanged. */
export function fileFault(error: unknown): unknown {
  const { errno, code, message } = error as NodeJS.ErrnoException;
  if (errno === undefined || code === undefined) return error;
  return refusals.has(code)
    ? new StoreUnavailable(
        'refused',
        `The folder of the store refuses the service (${message}). ` +
          'Name a folder in OBJECT_STORE_URL that the user of this process may read and write.',
      )
    : new StoreUnavailable('unreachable', `The folder of the store cannot be used (${message}).`);
}
