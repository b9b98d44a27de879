import { CommitUnknown } from '../../infra/drivers/postgres/transaction.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Runs `write`, one transaction that makes existing objects count, and removes these, whose names begin with `name`,
 * where it was certainly rolled back. Where a lost connection leaves that open they are kept: they may be paid for.
 */
export async function withObjects<T>(
  { objects, log }: Pick<ApiDeps, 'objects' | 'log'>,
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof CommitUnknown) throw error;
    await objects
      .deletePrefix(name)
      .catch((cause: unknown) => log.warn(`Object ${name} was not removed; the reconciler will.`, { error: cause }));
    throw error;
  }
}
