/** Weights of an encoder as they lie on this machine. */
export interface EncoderWeights {
  readonly id: string;
  /** Hash of the file, hexadecimal: SHA-256. */
  readonly hash: string;
  readonly path: string;
  /** Version of the encoder whose graphs they are for; absent: the current one. */
  readonly version?: number;
}

/** What tells a loaded encoder from another: its weights, and the version of its graphs. */
export const keyOf = ({ id, hash, version }: Pick<EncoderWeights, 'id' | 'hash' | 'version'>): string =>
  `${id}@${version ?? 'current'}@${hash}`;
