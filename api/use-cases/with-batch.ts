import { CommitUnknown } from '../../infra/drivers/postgres/index.ts';
import type { ApiDeps } from '../deps.ts';

/**
 * Runs `write`, which stores a batch under `name` and makes it count in one transaction, and removes what was stored
 * where that was certainly rolled back. Where a lost connection leaves that open the objects are kept: they may be paid
 * for.
 */
export async function withBatch<T>(
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
      .catch((cause: unknown) => log.warn(`Batch ${name} was not removed; the reconciler will.`, { error: cause }));
    throw error;
  }
}
