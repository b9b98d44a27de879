import { CommitUnknown } from '../../infra/drivers/postgres/transaction.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Runs `write`, one transaction that makes existing objects part of a model. If it was certainly rolled back, deletes
 * the objects whose names begin with `name`. If a lost connection leaves that open, the objects are kept, because they
 * may be paid for.
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
