import { randomUUID } from 'node:crypto';
import { objectNames } from '../contract/object-names.ts';
import { ConfigError } from '../drivers/config.ts';
import type { ObjectStore } from '../drivers/objects/object-store.ts';
import { StoreUnavailable } from '../drivers/objects/bytes.ts';
import type { Log } from '../observe/log.ts';

/**
 * Writes, reads and deletes an object before a process takes work. Throws a ConfigError where the store refuses; one
 * that does not answer is said in `log`, and the process goes on: what needs the store answers 503 until it is there.
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
