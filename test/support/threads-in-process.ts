import { createThreads, type ApiThreads } from '../../api/threads/client.ts';
import type { ApiTasks } from '../../api/threads/entry.ts';
import { createFeatureTasks } from '../../api/intake/feature-tasks.ts';
import { hashOf, intake } from '../../api/intake/intake.ts';
import { createLabel } from '../../api/predict/label.ts';
import { matchTask } from '../../api/intake/match-task.ts';
import { planFit, refuseUnsupported } from '../../api/intake/plan-fit.ts';
import { createPredict } from '../../api/predict/predict.ts';
import { noEncoders } from './no-encoders.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import type { ThreadPool } from '../../infra/drivers/threads/pool-types.ts';
import { provideStandInMovement } from './stand-in-movement.ts';

provideStandInMovement();

/** The tasks of the API's threads in this process, for tests that are not about threads: nothing runs out of time. */
export function threadsInProcess(objects: ObjectStore): ApiThreads {
  const { stage, storeBatch } = createFeatureTasks(objects, noEncoders);
  const predict = createPredict(objects, noEncoders);
  const tasks: ApiTasks = {
    intake: ({ body, what, resampler }) => intake(body, what, new Date(), resampler),
    hash: ({ body }) => hashOf(body),
    refuse: refuseUnsupported,
    match: matchTask,
    plan: planFit,
    stage,
    storeBatch,
    predict,
    label: createLabel(predict),
  };
  const run = async (task: keyof ApiTasks, input: never): Promise<unknown> =>
    (tasks[task] as (input: never) => unknown)(input);
  return createThreads({ run, load: 0, loadOf: () => 0 } as unknown as ThreadPool<ApiTasks>);
}
