import { ApiError } from '../../infra/contract/errors.ts';
import { weightsOf } from '../../ml/encoders/ids.ts';
import { encodeTrials, familyOf, type Encoded, type Reading } from '../../ml/features/index.ts';
import type { Trials } from '../../ml/types.ts';

/** What encoders made of the first batch of a deferred fit. */
interface FirstEncoded extends Encoded {
  /** A sentence for each encoder that failed. */
  readonly lost: readonly string[];
}

/**
 * What encoders make of the first batch of a deferred fit. An encoder that fails on it loses its own sets and nothing
 * else, as in an immediate create; later batches are then read without it. Where one is being loaded the caller may
 * come again: throws POOL_UNAVAILABLE.
 */
export async function encodeFirst(trials: Trials, sets: readonly string[], reading: Reading): Promise<FirstEncoded> {
  let encoded: Encoded = { tables: {}, standards: {} };
  const lost: string[] = [];
  for (const { id } of weightsOf(sets)) {
    const own = sets.filter((set) => familyOf(set) === id);
    try {
      const { tables, standards } = await encodeTrials(trials, own, reading);
      encoded = { tables: { ...encoded.tables, ...tables }, standards: { ...encoded.standards, ...standards } };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'BACKEND_FAILURE')) throw error;
      lost.push(`${error.message} This model is fitted without it: batches are stored with what the first one holds.`);
    }
  }
  return { ...encoded, lost };
}
