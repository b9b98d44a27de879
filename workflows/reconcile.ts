import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities, ReconcileReport } from '../activities/activities.ts';
import type { ReconcileScope } from '../infra/contract/workflow-names.ts';
import { steady } from './timeouts.ts';

const { sweep, reconcileModels, checkBooks, tidyReference } = proxyActivities<Activities>({
  ...steady,
  startToCloseTimeout: '10 minutes',
});

/** Reads names of the whole object store. */
const { tidyObjects } = proxyActivities<Activities>({ ...steady, startToCloseTimeout: '2 hours' });

/**
 * The safety net, on a Temporal Schedule. `sweep` (every few minutes) reaps what must not stay: staged signals, stuck
 * fits and holds, leases, idempotency keys. `full` (daily) also compares every model with its workflow, checks the
 * ledger, and removes objects that no model owns and fits on reference recordings that nobody asks for any more.
 * Returns what it healed and what a person must look at.
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
