import { encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import type { StagedTrials } from '../../infra/contract/fit-request.ts';
import type { Encoders } from '../../ml/encoders/types.ts';
import { createStoreBatch, type LabelledTrials } from './store-batch.ts';

export function createFeatureTasks(store: ObjectStore, encoders: Encoders) {
  return {
    /** Stores the trials of an immediate create for the job's activity (design, decision 6). */
    async stage({ name, trials, labels, sessions, recordings = null, priors, links }: LabelledTrials): Promise<void> {
      const staged: StagedTrials = {
        format: 2,
        trials,
        labels,
        sessions,
        recordings,
        ...(priors && { priors }),
        ...(links !== undefined && { links }),
      };
      await store.create(name, encode(staged));
    },
    storeBatch: createStoreBatch(store, encoders),
  };
}
