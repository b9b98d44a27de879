import { adoptTasks } from './adopt-task.ts';
import { batchTasks } from './batch-tasks.ts';
import { choiceTasks } from './choice-tasks.ts';
import { dataTasks } from './data-tasks.ts';
import { referenceDataTasks } from './reference-data-tasks.ts';
import { referenceFitTasks } from './reference-fit-tasks.ts';
import { scoreTasks } from './score-tasks.ts';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { provideMovementWeights } from '../../ml/encoders/movement/index.ts';

provideMovementWeights(shippedWeights);

/**
 * The tasks of the activities' worker threads. Payloads and results are copied by structured clone; feature tables are
 * in shared memory.
 */
export const tasks = {
  ...dataTasks,
  ...batchTasks,
  ...scoreTasks,
  ...choiceTasks,
  ...adoptTasks,
  ...referenceDataTasks,
  ...referenceFitTasks,
};
