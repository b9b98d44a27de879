import { folderOfFileUrl } from '../config.ts';
import { createFileStore, type ByteStore } from './file-store.ts';
import { open, seal } from './seal.ts';

/**
 * Encrypted objects by name (`infra/contract/object-names.ts`). What is written is whole or absent, and
 * bound to its name: an object moved to another name does not open.
 */
export interface ObjectStore {
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Throws ObjectMissing. */
  get(name: string): Promise<Uint8Array>;
  /** Also when there is none. */
  delete(name: string): Promise<void>;
  /** Objects whose name starts with `prefix`, by name. */
  list(prefix: string): Promise<{ name: string; modifiedAt: Date }[]>;
  deletePrefix(prefix: string): Promise<void>;
  /** Removes what writes that were killed before `before` left behind; returns how many. */
  removeDrafts(before: Date): Promise<number>;
}

export class ObjectMissing extends Error {
  constructor(name: string) {
    super(`There is no object ${name}.`);
    this.name = 'ObjectMissing';
  }
}

const drivers: Readonly<Record<string, (url: string) => ByteStore>> = {
  'file:': (url) => createFileStore(folderOfFileUrl(url)),
};

/** `key`: 32 bytes. Throws when no driver knows the URL's scheme. */
export function createObjectStore({ url, key }: { url: string; key: Uint8Array }): ObjectStore {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const driver = drivers[scheme];
  if (!driver)
    throw new Error(`OBJECT_STORE_URL: there is no store for "${scheme}"; use ${Object.keys(drivers).join(' or ')}.`);
  if (key.length !== 32) throw new Error(`The key of the object store has ${key.length} bytes; it must have 32.`);
  const store = driver(url);
  return {
    async put(name, bytes) {
      checkName(name);
      await store.put(name, seal(key, name, bytes));
    },
    async get(name) {
      checkName(name);
      const sealed = await store.get(name);
      if (!sealed) throw new ObjectMissing(name);
      return open(key, name, sealed);
    },
    async delete(name) {
      checkName(name);
      await store.delete(name);
    },
    list: (prefix) => store.list(checkPrefix(prefix)),
    removeDrafts: (before) => store.removeDrafts(before),
    async deletePrefix(prefix) {
      for (const { name } of await store.list(checkPrefix(prefix))) await store.delete(name);
    },
  };
}

const part = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

function checkName(name: string): void {
  if (!name.split('/').every((piece) => part.test(piece))) throw new Error(`"${name}" is not an object name.`);
}

function checkPrefix(prefix: string): string {
  if (prefix.replace(/\/$/, '') !== '') checkName(prefix.replace(/\/$/, ''));
  return prefix;
}
