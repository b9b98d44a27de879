import { transaction, type Sql } from '../../infra/drivers/postgres/index.ts';
import type { ApiDeps } from '../deps.ts';

/** Runs `write` in one transaction after the object exists, and removes the object if it fails. */
export async function withObject<T>(
  { pool, objects, log }: Pick<ApiDeps, 'pool' | 'objects' | 'log'>,
  name: string,
  write: (sql: Sql) => Promise<T>,
): Promise<T> {
  try {
    return await transaction(pool, write);
  } catch (error) {
    await objects
      .delete(name)
      .catch((cause: unknown) => log(`Object ${name} was not removed; the reconciler will.`, cause));
    throw error;
  }
}
