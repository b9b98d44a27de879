/** An object of a listing. */
export interface Found {
  readonly name: string;
  readonly modifiedAt: Date;
}

/** What a put asks of the name: that nothing is there, or still the version that `get` has returned. */
export type Expected = 'nothing' | { readonly version: string };

/** Bytes by name, written whole or not at all: what a driver of the object store does. */
export interface ByteStore {
  /**
   * Returns when the bytes and their name are safe. Without `expected` they take the place of what was there. Throws
   * ObjectConflict where the name does not hold what was expected.
   */
  put(name: string, bytes: Uint8Array, expected?: Expected): Promise<void>;
  /** null where there is none. Throws ObjectAltered where the store itself finds the bytes damaged. */
  get(name: string): Promise<{ readonly bytes: Uint8Array; readonly version: string } | null>;
  /** Also those that are not there. */
  delete(names: readonly string[]): Promise<void>;
  /** Everything whose name begins with `prefix` and comes behind `after`, in order of names, page by page. */
  pages(prefix: string, after?: string): AsyncIterable<readonly Found[]>;
  /**
   * Removes what interrupted writes left before `before`; returns how many. Uploads of others in a shared bucket stay.
   */
  removeDrafts(before: Date): Promise<number>;
}

/** An object is there where none was expected, or it is no longer the one that was read. */
export class ObjectConflict extends Error {
  override readonly name = 'ObjectConflict';

  constructor(object: string, expected: Expected) {
    super(
      expected === 'nothing' ? `There is an object ${object} already.` : `The object ${object} was changed meanwhile.`,
    );
  }
}

/** The bytes of an object are not those that were written. */
export class ObjectAltered extends Error {
  override readonly name = 'ObjectAltered';

  constructor(object: string) {
    super(`The object ${object} is not what was written: its checksum differs.`);
  }
}

/**
 * The store could not do what was asked: `unreachable` where it did not answer, was overloaded or failed, so that
 * trying again later can help; `refused` where a person must change something. The message names it, never a secret.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly reason: 'unreachable' | 'refused';

  constructor(reason: 'unreachable' | 'refused', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Whether an error is a StoreUnavailable, also one that came out of a thread. */
export const isStoreUnavailable = (error: unknown): boolean =>
  error instanceof Error && error.name === 'StoreUnavailable';
