/** A file that a person chose. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Finds a further file of the same recording; `extension` finds the only chosen file that ends so. */
export type FindFile = (name: string, extension: string) => GivenFile | null;
