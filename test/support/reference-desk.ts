import type { ReferenceRequests } from '../../api/deps.ts';
import type { ReferenceTaskKey } from '../../infra/contract/reference-data/preparation.ts';
import type { ReferenceFitRequest } from '../../infra/contract/reference-fits.ts';
import type { StoredFit } from '../../infra/records/reference-fits/fits.ts';
import type { StoredPreparation } from '../../infra/records/reference-data/preparations.ts';

const unasked: StoredPreparation = {
  status: 'queued',
  retryable: false,
  reason: null,
  estimatedSeconds: 40,
  people: null,
  progress: null,
  due: false,
};
const unfitted: StoredFit = { ...unasked, estimatedSeconds: 7, result: null };

/** A desk whose states a test sets, and which notes what it was asked to start. */
export interface TestDesk extends ReferenceRequests {
  readonly asked: ReferenceTaskKey[];
  readonly fits: Omit<ReferenceFitRequest, 'key'>[];
  preparationIs(state: Partial<StoredPreparation>): void;
  fitIs(state: Partial<StoredFit>): void;
  /** Error that every call throws; null: none. */
  throws: Error | null;
}

/** Reference recordings that are never prepared, until a test says otherwise. */
export function createTestDesk(): TestDesk {
  let prepared = unasked;
  let fitted = unfitted;
  return {
    asked: [],
    fits: [],
    throws: null,
    async preparation(key, { start }) {
      if (this.throws) throw this.throws;
      if (start) this.asked.push(key);
      return prepared;
    },
    async fit(wanted, { start }) {
      if (this.throws) throw this.throws;
      if (start) this.fits.push(wanted);
      return fitted;
    },
    preparationIs: (state) => void (prepared = { ...unasked, ...state }),
    fitIs: (state) => void (fitted = { ...unfitted, ...state }),
  };
}
