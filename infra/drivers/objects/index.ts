import { folderOfFileUrl } from '../config.ts';
import { keyringOf } from '../keyring.ts';
import { createFileStore, type ByteStore } from './file-store.ts';
import { open, seal, sealedBy, Unopened } from './seal.ts';

/**
 * Encrypted objects by name (`infra/contract/object-names.ts`). What is written is whole or absent, and
 * bound to its name: an object moved to another name does not open.
 */
export interface ObjectStore {
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Throws ObjectMissing, or ObjectDamaged, which is one. */
  get(name: string): Promise<Uint8Array>;
  /** Also when there is none. */
  delete(name: string): Promise<void>;
  /** Objects whose name starts with `prefix`, by name. */
  list(prefix: string): Promise<{ name: string; modifiedAt: Date }[]>;
  deletePrefix(prefix: string): Promise<void>;
  /** Seals an object with the newest key; false where it was so already, or is gone. */
  reseal(name: string): Promise<boolean>;
  /** Id of the newest key. */
  readonly keyId: string;
  /** Removes what writes that were killed before `before` left behind; returns how many. */
  removeDrafts(before: Date): Promise<number>;
}

export class ObjectMissing extends Error {
  constructor(name: string) {
    super(`There is no object ${name}.`);
    this.name = 'ObjectMissing';
  }
}

/** An object that was changed since it was written: as good as none. */
export class ObjectDamaged extends ObjectMissing {
  readonly object: string;

  constructor(name: string, cause: unknown) {
    super(name);
    this.name = 'ObjectDamaged';
    this.message = (cause as Error).message;
    this.cause = cause;
    this.object = name;
  }
}

const drivers: Readonly<Record<string, (url: string) => ByteStore>> = {
  'file:': (url) => createFileStore(folderOfFileUrl(url)),
};

/** Where objects are, and the keys that seal them, the newest first. */
export interface ObjectStoreOptions {
  readonly url: string;
  readonly keys: readonly Uint8Array[];
}

/** Throws when no driver knows the URL's scheme, or a key has not 32 bytes. */
export function createObjectStore({ url, keys }: ObjectStoreOptions): ObjectStore {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const driver = drivers[scheme];
  if (!driver)
    throw new Error(`OBJECT_STORE_URL: there is no store for "${scheme}"; use ${Object.keys(drivers).join(' or ')}.`);
  const store = driver(url);
  const ring = keyringOf(keys);
  return {
    async put(name, bytes) {
      checkName(name);
      await store.put(name, seal(ring, name, bytes));
    },
    async get(name) {
      checkName(name);
      const sealed = await store.get(name);
      if (!sealed) throw new ObjectMissing(name);
      try {
        return open(ring, name, sealed);
      } catch (error) {
        throw error instanceof Unopened ? new ObjectDamaged(name, error) : error;
      }
    },
    async delete(name) {
      checkName(name);
      await store.delete(name);
    },
    list: (prefix) => store.list(checkPrefix(prefix)),
    async reseal(name) {
      const sealed = await store.get(name);
      if (!sealed || sealedBy(sealed) === ring.current.id) return false;
      await store.put(name, seal(ring, name, open(ring, name, sealed)));
      return true;
    },
    keyId: ring.current.id,
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
