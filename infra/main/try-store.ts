import { randomUUID } from 'node:crypto';
import { objectNames } from '../contract/object-names.ts';
import { ConfigError } from '../drivers/config.ts';
import type { ObjectStore } from '../drivers/objects/object-store.ts';
import { StoreUnavailable } from '../drivers/objects/bytes.ts';
import type { Log } from '../observe/log.ts';

/**
 * Tests the object store with one object before a process takes work. Throws a ConfigError if the store refuses. If the
 * store does not answer, logs that and continues: requests that need the store get 503 until it answers.
 */
export async function tryStore(objects: ObjectStore, log: Pick<Log, 'warn'>): Promise<void> {
  try {
    await objects.probe(objectNames.probe(randomUUID(), new Date()));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    if (error.reason === 'refused') throw new ConfigError([`OBJECT_STORE_URL: ${error.message}`], { cause: error });
    log.warn(`${error.message} What needs it answers 503 until it is there.`);
  }
}
