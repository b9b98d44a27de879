/** File with the weights of an encoder on this machine. */
export interface EncoderWeights {
  readonly id: string;
  /** SHA-256 of the file, in hexadecimal. */
  readonly hash: string;
  readonly path: string;
  /** Version of the encoder whose graphs use the weights; absent: the current one. */
  readonly version?: number;
}

/** Cache key of a loaded encoder: its weights and the version of its graphs. */
export const keyOf = ({ id, hash, version }: Pick<EncoderWeights, 'id' | 'hash' | 'version'>): string =>
  `${id}@${version ?? 'current'}@${hash}`;
