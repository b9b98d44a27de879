import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, Lifecycle } from '../activities/activities.ts';
import type { TaskModelWorkflow } from '../infra/contract/workflow-names.ts';
import { createDescriber } from './describe.ts';
import { createFits } from './fits.ts';
import { fit, refresh } from './handlers.ts';
import { unlimitedRetries } from './timeouts.ts';

const { readLifecycle, settleLifecycle, cleanUpModel } = proxyActivities<Activities>(unlimitedRetries);

/**
 * The workflow of one task model, from its first request to the clean-up after its end; workflow id = model id.
 * Postgres stores the state, this workflow keeps the time: it waits for the next due instant, a `refresh` or a `fit`,
 * and then calls `settleLifecycle`.
 */
export const taskModel: TaskModelWorkflow = async ({ modelId }) => {
  let news = 0;
  let lifecycle: Lifecycle | null = null;
  const describe = createDescriber(modelId);
  const fits = createFits(modelId, () => (news += 1));

  setHandler(
    refresh,
    () => {
      news += 1;
    },
    { description: 'The model changed in Postgres: read it again' },
  );
  setHandler(fit, (request) => fits.run(request), {
    description: 'Fit the model, or join the fit that runs',
    validator: (request) => fits.check(request, lifecycle),
  });

  for (let seen = -1, woken = false; ;) {
    woken = seen >= 0 && news !== seen;
    seen = news;
    const changed = (): boolean => news !== seen || fits.running !== null;
    lifecycle = await readLifecycle({ modelId, at: Date.now() });
    describe(lifecycle, fits.running && `Fit ${fits.running} is running`);

    if (fits.running) {
      if (!lifecycle || lifecycle.status === 'deleted') fits.cancel();
      await condition(() => news !== seen);
      continue;
    }
    if (lifecycle?.pendingFit) {
      await fits
        .run(lifecycle.pendingFit)
        .catch(() => condition(changed, '1 minute', { summary: 'A fit of this model runs on by itself' }));
      continue;
    }
    const settled = lifecycle && isDue(lifecycle, woken) ? await settleLifecycle({ modelId, at: Date.now() }) : null;
    if (!lifecycle || settled?.finished) {
      if (!lifecycle) await cleanUpModel({ modelId });
      await condition(allHandlersFinished);
      if (!changed()) return;
    } else if (settled?.renewed || workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      if (!fits.running) await continueAsNew<TaskModelWorkflow>({ modelId });
    } else if (!settled) {
      await nextChange(lifecycle, changed);
    }
  }
};

/** A renewal that failed for lack of credit is retried when the account changes, not only on its next day. */
const isDue = ({ due, unpaid }: Lifecycle, woken: boolean): boolean =>
  (due !== null && due.at <= Date.now()) || (unpaid && woken);

async function nextChange({ due }: Lifecycle, changed: () => boolean): Promise<void> {
  if (due) await condition(changed, due.at - Date.now(), { summary: due.what });
  else await condition(changed);
}
