import { randomUUID } from 'node:crypto';
import { folderOfFileUrl } from '../config.ts';
import { keyringOf } from '../keyring.ts';
import { ObjectAltered, ObjectConflict, type ByteStore, type Found } from './bytes.ts';
import { createFileStore } from './file-store.ts';
import { parseS3Url } from './s3-url.ts';
import { open, seal, sealedBy, Unopened } from './seal.ts';

/**
 * Encrypted objects by name (`infra/contract/object-names.ts`). A write is atomic, and an object is bound to its name:
 * after a move to another name it cannot be decrypted. All operations throw StoreUnavailable if the store does not
 * answer or refuses.
 */
export interface ObjectStore {
  /** Replaces an existing object, for activities that may write again after a retry. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** For a new, unique name. Throws ObjectConflict if there is an object. */
  create(name: string, bytes: Uint8Array): Promise<void>;
  /** Throws ObjectMissing, or its subclass ObjectDamaged. */
  get(name: string): Promise<Uint8Array>;
  /** A missing object is no error. */
  delete(name: string): Promise<void>;
  /** In one request if the store supports it. */
  deleteAll(names: readonly string[]): Promise<void>;
  /** All objects whose name starts with `prefix`, in order of names; for prefixes with few objects. */
  list(prefix: string): Promise<Found[]>;
  /** The same as an iterator, from after `after`; reads the store page by page as needed. */
  walk(prefix: string, after?: string): AsyncIterable<Found>;
  deletePrefix(prefix: string): Promise<void>;
  /**
   * Encrypts an object again with the newest key. Returns false if it has that key already, or is gone. Throws
   * ObjectDamaged.
   */
  reseal(name: string): Promise<boolean>;
  /** Id of the newest key. */
  readonly keyId: string;
  /** Removes leftovers of interrupted writes from before `before`; returns their number. */
  removeDrafts(before: Date): Promise<number>;
  /** Tests the store: writes, lists, reads and deletes an object of this unused name. */
  probe(name: string): Promise<void>;
}

export class ObjectMissing extends Error {
  constructor(name: string) {
    super(`There is no object ${name}.`);
    this.name = 'ObjectMissing';
  }
}

/** An object that was changed after it was written; callers treat it as missing. */
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

const asDamaged = (name: string, error: unknown): unknown =>
  error instanceof Unopened || error instanceof ObjectAltered ? new ObjectDamaged(name, error) : error;

const drivers: Readonly<Record<string, (url: string) => ByteStore>> = {
  'file:': (url) => createFileStore(folderOfFileUrl(url)),
  's3:': (url) => {
    const at = parseS3Url(url);
    return lazyStore(async () => (await import('./s3-store.ts')).createS3Store(at));
  },
};

/** Address of the store, and the encryption keys, the newest first. */
export interface ObjectStoreOptions {
  readonly url: string;
  readonly keys: readonly Uint8Array[];
}

/** Opens the store. Throws if no driver supports the URL's scheme, the URL is incomplete, or a key has not 32 bytes. */
export function createObjectStore({ url, keys }: ObjectStoreOptions): ObjectStore {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const driver = drivers[scheme];
  if (!driver)
    throw new Error(`OBJECT_STORE_URL: there is no store for "${scheme}"; use ${Object.keys(drivers).join(' or ')}.`);
  return sealedStore(driver(url), keys);
}

/** Encrypts objects on their way to a driver and decrypts them on their way back. */
export function sealedStore(store: ByteStore, keys: readonly Uint8Array[]): ObjectStore {
  const ring = keyringOf(keys);
  const put = async (name: string, bytes: Uint8Array): Promise<void> => {
    await store.put(checkName(name), await seal(ring, name, bytes));
  };
  const create = async (name: string, bytes: Uint8Array): Promise<void> => {
    await store.put(checkName(name), await seal(ring, name, bytes), 'nothing');
  };
  const get = async (name: string): Promise<Uint8Array> => {
    try {
      const sealed = await store.get(checkName(name));
      if (!sealed) throw new ObjectMissing(name);
      return await open(ring, name, sealed.bytes);
    } catch (error) {
      throw asDamaged(name, error);
    }
  };
  const deleteAll = (names: readonly string[]): Promise<void> => store.delete(names.map(checkName));
  const pages = (prefix: string, after?: string) => store.pages(checkPrefix(prefix), after);
  const list = async (prefix: string): Promise<Found[]> => {
    const found: Found[] = [];
    for await (const page of pages(prefix)) found.push(...page);
    return found;
  };
  return {
    put,
    create,
    get,
    deleteAll,
    delete: (name) => deleteAll([name]),
    list,
    async *walk(prefix, after) {
      for await (const page of pages(prefix, after)) yield* page;
    },
    async deletePrefix(prefix) {
      for await (const page of pages(prefix)) await store.delete(page.map(({ name }) => name));
    },
    async reseal(name) {
      for (;;) {
        try {
          const sealed = await store.get(name);
          if (!sealed || sealedBy(sealed.bytes) === ring.current.id) return false;
          await store.put(name, await seal(ring, name, await open(ring, name, sealed.bytes)), sealed);
          return true;
        } catch (error) {
          // Another process has written or deleted it meanwhile: read the current object.
          if (!(error instanceof ObjectConflict)) throw asDamaged(name, error);
        }
      }
    },
    keyId: ring.current.id,
    removeDrafts: (before) => store.removeDrafts(before),
    async probe(name) {
      const bytes = Buffer.from(randomUUID());
      await create(name, bytes);
      try {
        if ((await list(name)).length !== 1 || !bytes.equals(await get(name))) throw new ObjectMissing(name);
      } finally {
        await deleteAll([name]);
      }
    },
  };
}

const part = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;

function checkName(name: string): string {
  if (!name.split('/').every((piece) => part.test(piece))) throw new Error(`"${name}" is not an object name.`);
  return name;
}

function checkPrefix(prefix: string): string {
  if (prefix.replace(/\/$/, '') !== '') checkName(prefix.replace(/\/$/, ''));
  return prefix;
}

/** A store that loads its driver on first use, so that processes with another store never load it. */
function lazyStore(load: () => Promise<ByteStore>): ByteStore {
  const loading = load();
  // Each operation reports the error to its caller.
  loading.catch(() => undefined);
  return {
    put: async (...args) => (await loading).put(...args),
    get: async (name) => (await loading).get(name),
    delete: async (names) => (await loading).delete(names),
    removeDrafts: async (...args) => (await loading).removeDrafts(...args),
    async *pages(...args) {
      yield* (await loading).pages(...args);
    },
  };
}
