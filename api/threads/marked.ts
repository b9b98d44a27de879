import { ownerOf } from '../../infra/contract/object-names.ts';
import type { Mark } from '../../infra/drivers/crash-marks.ts';
import type { Answered } from '../predict/predict.ts';
import type { PredictTask } from '../predict/predict-task.ts';

type Predict = (task: PredictTask) => Promise<Answered>;

/** Marks the model while the thread labels with it, so that the next process knows what this one did when it died. */
export const marked =
  (predict: Predict, mark: Mark | null): Predict =>
  (task) => {
    const model = ownerOf(task.modelRef)?.modelId;
    return mark && model && task.mark !== undefined ? mark(task.mark, model, () => predict(task)) : predict(task);
  };
