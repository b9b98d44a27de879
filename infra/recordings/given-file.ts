/** A file that a person chose. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Finds a further file of the same recording by its name. If only one recording is chosen, `extension` finds the only
 * file that ends so.
 */
export type FindFile = (name: string, extension: string) => GivenFile | null;
