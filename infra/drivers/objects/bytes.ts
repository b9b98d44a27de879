/** An object of a listing. */
export interface Found {
  readonly name: string;
  readonly modifiedAt: Date;
}

/** Condition of a put: the name is free, or it still has the version that `get` returned. */
export type Expected = 'nothing' | { readonly version: string };

/** A driver of the object store: bytes by name; a write is atomic. */
export interface ByteStore {
  /**
   * Returns when the bytes and their name are durable. Without `expected` it replaces an existing object. Throws
   * ObjectConflict if the object at the name is not the expected one.
   */
  put(name: string, bytes: Uint8Array, expected?: Expected): Promise<void>;
  /** null if there is none. Throws ObjectAltered if the store itself detects damaged bytes. */
  get(name: string): Promise<{ readonly bytes: Uint8Array; readonly version: string } | null>;
  /** Missing objects are no error. */
  delete(names: readonly string[]): Promise<void>;
  /** All objects whose name starts with `prefix` and sorts after `after`, in order of names, page by page. */
  pages(prefix: string, after?: string): AsyncIterable<readonly Found[]>;
  /**
   * Removes leftovers of interrupted writes from before `before`; returns their number. Uploads of others in a shared
   * bucket stay.
   */
  removeDrafts(before: Date): Promise<number>;
}

/** An object exists although none was expected, or it is no longer the one that was read. */
export class ObjectConflict extends Error {
  override readonly name = 'ObjectConflict';

  constructor(object: string, expected: Expected) {
    super(
      expected === 'nothing' ? `There is an object ${object} already.` : `The object ${object} was changed meanwhile.`,
    );
  }
}

/** The bytes of an object differ from those that were written. */
export class ObjectAltered extends Error {
  override readonly name = 'ObjectAltered';

  constructor(object: string) {
    super(`The object ${object} is not what was written: its checksum differs.`);
  }
}

/**
 * The store could not do the operation. `unreachable`: it did not answer, was overloaded or failed; a later attempt can
 * succeed. `refused`: a person must change something. The message names the store, never a secret.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly reason: 'unreachable' | 'refused';

  constructor(reason: 'unreachable' | 'refused', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Whether an error is a StoreUnavailable, also after it has crossed from a thread. */
export const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof Error && error.name === 'StoreUnavailable';
