import type pg from 'pg';
import type { runAdmin } from '../../infra/main/admin/run-admin.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';

/** What an operator's command works on in a test. */
export const openAdmin =
  (pool: pg.Pool, objects?: ObjectStore, piped: string | null = null): Parameters<typeof runAdmin>[1] =>
  async () => ({
    pool,
    async objects() {
      if (!objects) throw new Error('This test has no object store.');
      return objects;
    },
    async temporal() {
      throw new Error('This test has no Temporal server.');
    },
    standardInput: async () => piped,
    async renewSecrets() {
      throw new Error('This test has no secrets of its own.');
    },
    close: async () => undefined,
  });
