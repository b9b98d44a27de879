import { ApiError } from '../../infra/contract/errors.ts';
import { weightsOf } from '../../ml/encoders/ids.ts';
import { encodeTrials, familyOf, type Encoded, type Reading } from '../../ml/features/index.ts';
import type { Trials } from '../../ml/types.ts';
import { requestSentence } from './request-sentences.ts';

/** The encoders' features of the first batch of a deferred fit. */
interface FirstEncoded extends Encoded {
  /** One sentence for each encoder that failed. */
  readonly failures: readonly string[];
}

/**
 * Runs the encoders on the first batch of a deferred fit. If one fails, only its own sets are missing, as in an
 * immediate create; later batches are then read without it. Throws POOL_UNAVAILABLE while an encoder loads, so that the
 * caller retries.
 */
export async function encodeFirst(trials: Trials, sets: readonly string[], reading: Reading): Promise<FirstEncoded> {
  let encoded: Encoded = { tables: {}, standards: {} };
  const failures: string[] = [];
  for (const { id } of weightsOf(sets)) {
    const own = sets.filter((set) => familyOf(set) === id);
    try {
      const { tables, standards } = await encodeTrials(trials, own, reading);
      encoded = { tables: { ...encoded.tables, ...tables }, standards: { ...encoded.standards, ...standards } };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'BACKEND_FAILURE')) throw error;
      failures.push(`${requestSentence('encoder_failed', { encoder: id })} ${error.message}`);
    }
  }
  return { ...encoded, failures };
}
