import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities, ReconcileReport } from '../activities/activities.ts';
import type { ReconcileScope } from '../infra/contract/workflow-names.ts';
import { unlimitedRetries } from './timeouts.ts';

const { sweep, reconcileModels, checkBooks, tidyReference } = proxyActivities<Activities>({
  ...unlimitedRetries,
  startToCloseTimeout: '10 minutes',
});

/** Lists the names of the whole object store. */
const { tidyObjects } = proxyActivities<Activities>({ ...unlimitedRetries, startToCloseTimeout: '2 hours' });

/**
 * The reconciler, on a Temporal Schedule. `sweep` (every few minutes) removes expired staged signals, stuck fits and
 * their credit holds, leases, and idempotency keys. `full` (daily) also compares every model with its workflow, checks
 * the ledger, and removes objects without an owner and unused fits on reference recordings. Returns its repairs and the
 * problems that an operator must look at.
 */
export async function reconcile({ scope }: { scope: ReconcileScope }): Promise<ReconcileReport> {
  const healed: string[] = [];
  const problems: string[] = [];
  const add = (report: ReconcileReport): void => {
    healed.push(...report.healed);
    problems.push(...report.problems);
    setCurrentDetails([...problems.map((each) => `**${each}**`), ...healed].join('\n\n') || 'Nothing differs.');
  };
  const at = Date.now();
  add(await sweep({ at }));
  if (scope === 'full') {
    for (let after: string | null = null, more = true; more;) {
      const page: Awaited<ReturnType<Activities['reconcileModels']>> = await reconcileModels({ at, after });
      add(page);
      after = page.next;
      more = after !== null;
    }
    add(await checkBooks({ at }));
    add(await tidyReference({ at }));
    add(await tidyObjects({ at }));
  }
  return { healed: healed.slice(0, 50), problems: problems.slice(0, 50) };
}
