import { workerData } from 'node:worker_threads';
import { encodersOfProcess } from '../../infra/encoders/client.ts';
import { openMark, type Mark } from '../../infra/drivers/crash-marks.ts';
import { createObjectStore, type ObjectStoreOptions } from '../../infra/drivers/objects/object-store.ts';
import { observed } from '../../infra/drivers/objects/observed.ts';
import { note } from '../../infra/observe/noted.ts';
import { serveTasks } from '../../infra/drivers/threads/serve.ts';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { provideMovementWeights } from '../../ml/encoders/movement/index.ts';
import { moving } from '../../infra/drivers/threads/moving.ts';
import { freeMemory } from '../../ml/kernels/index.ts';
import { createFeatureTasks } from '../intake/feature-tasks.ts';
import { hashOf, intake } from '../intake/intake.ts';
import { createLabel, movingRead } from '../predict/label.ts';
import { matchTask } from '../intake/match-task.ts';
import { planFit, refuseUnsupported } from '../intake/plan-fit.ts';
import { createPredict, type Answered } from '../predict/predict.ts';
import { warmUpTask } from './warm-up.ts';
import { ownerOf } from '../../infra/contract/object-names.ts';
import type { PredictTask } from '../predict/predict-task.ts';

/** `workerData` of this entry. */
export interface ThreadData {
  readonly objects: ObjectStoreOptions;
  /** File in which a thread marks the model that it uses; absent: nothing is marked. */
  readonly marks?: string;
}

type Predict = (task: PredictTask) => Promise<Answered>;

/** Marks the model while the thread uses it. If the process dies, the next one can see which model was in use. */
const marked =
  (predict: Predict, mark: Mark | null): Predict =>
  (task) => {
    const model = ownerOf(task.modelRef)?.modelId;
    return mark && model && task.mark !== undefined ? mark(task.mark, model, () => predict(task)) : predict(task);
  };

const { objects, marks } = workerData as ThreadData;
const store = observed(createObjectStore(objects), note);
const features = createFeatureTasks(store, encodersOfProcess);
const predict = marked(createPredict(store, encodersOfProcess), marks === undefined ? null : openMark(marks));

interface IntakeTask {
  readonly body: Uint8Array;
  readonly what: 'create' | 'batch' | 'predict';
  readonly resampler?: number;
  readonly hashed?: boolean;
}

/** Tasks of the API's worker threads: everything that reads a large body, a signal or a fitted model. */
const tasks = {
  /**
   * `resampler`: the version to which a model or its first batch is pinned; absent: the current one. `hashed`: as in
   * `LabelTask`.
   */
  intake({ body, what, resampler, hashed }: IntakeTask) {
    const result = intake(body, what, new Date(), resampler, hashed);
    return moving(result, movingRead(result));
  },
  /** SHA-256 of a body that is not parsed; the same hash as from `intake`. */
  hash: ({ body }: { body: Uint8Array }): string => hashOf(body),
  refuse: refuseUnsupported,
  match: matchTask,
  plan: planFit,
  stage: features.stage,
  storeBatch: features.storeBatch,
  predict,
  label: createLabel(predict),
};

export type ApiTasks = typeof tasks;

provideMovementWeights(shippedWeights);
serveTasks({ ...tasks, warmUp: warmUpTask }, freeMemory);
