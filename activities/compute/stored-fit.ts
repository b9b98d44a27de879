import { decodeFormat } from '../../infra/drivers/codec.ts';
import type { ReferenceFit } from '../../ml/reference-fits/types.ts';

/** The stored form of a fit on recordings of other people. */
export interface StoredReferenceFit extends ReferenceFit {
  readonly format: 1;
}

/** Decodes it. Throws an Error that names both formats if the format is a different one. */
export const openStoredFit = (bytes: Uint8Array): StoredReferenceFit =>
  decodeFormat<StoredReferenceFit>(bytes, 1, 'fit of reference recordings');
