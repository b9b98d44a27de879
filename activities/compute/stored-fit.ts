import { decodeFormat } from '../../infra/drivers/codec.ts';
import type { ReferenceFit } from '../../ml/reference-fits/types.ts';

/** A fit on recordings of other people as its object holds it. */
export interface StoredReferenceFit extends ReferenceFit {
  readonly format: 1;
}

/** Decodes it; throws an Error that names both formats where it is of another one. */
export const openStoredFit = (bytes: Uint8Array): StoredReferenceFit =>
  decodeFormat<StoredReferenceFit>(bytes, 1, 'fit of reference recordings');
