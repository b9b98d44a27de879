import { workerData } from 'node:worker_threads';
import { createObjectStore } from '../../infra/drivers/objects/index.ts';
import { moving, serveTasks } from '../../infra/drivers/threads/serve.ts';
import type { ThreadData } from '../deps.ts';
import { createFeatureTasks } from './features.ts';
import { intake } from './intake.ts';
import { planFit, refuseUnsupported } from './plan.ts';
import { createPredict } from './predict.ts';

const { objects, cachedModels } = workerData as ThreadData;
const store = createObjectStore(objects);
const features = createFeatureTasks(store);

/** Tasks of the API's worker threads: everything that touches a large body, a signal or a fitted model. */
serveTasks({
  intake({ body, what }: { body: Uint8Array; what: 'create' | 'batch' | 'predict' }) {
    const result = intake(body, what);
    return moving(result, result.ok && result.trials ? [result.trials.data.buffer as ArrayBuffer] : []);
  },
  refuse: refuseUnsupported,
  plan: planFit,
  stage: features.stage,
  storeBatch: features.storeBatch,
  predict: createPredict({ store, cachedModels: cachedModels ?? 64 }),
});
