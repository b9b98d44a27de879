import { ApiError } from '../../infra/contract/errors.ts';
import { weightsOf } from '../../ml/encoders/ids.ts';
import { encodeTrials, extractFeatures, familyOf, isEncoded, withEncoded } from '../../ml/features/index.ts';
import type { Reading } from '../../ml/features/index.ts';
import type { Features, Trials } from '../../ml/types.ts';

/** Features of the first batch of a deferred fit. */
export interface FirstFeatures {
  readonly features: Features;
  /** A sentence for each encoder that failed. */
  readonly lost: readonly string[];
}

/**
 * Reads the first batch of a deferred fit. An encoder that fails on it loses its own sets and nothing else, as in an
 * immediate create; later batches are then read without it. Where one is being loaded the caller may come again:
 * throws POOL_UNAVAILABLE.
 */
export async function readFirst(trials: Trials, sets: readonly string[], reading: Reading): Promise<FirstFeatures> {
  let features = extractFeatures(
    trials,
    sets.filter((set) => !isEncoded(set)),
  );
  const lost: string[] = [];
  for (const { id } of weightsOf(sets)) {
    const own = sets.filter((set) => isEncoded(set) && familyOf(set) === id);
    try {
      features = withEncoded(features, await encodeTrials(trials, own, reading));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'BACKEND_FAILURE')) throw error;
      lost.push(`${error.message} This model is fitted without it: batches are stored with what the first one holds.`);
    }
  }
  return { features, lost };
}
