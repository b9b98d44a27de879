import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities, ReconcileReport } from '../activities/activities.ts';
import type { ReconcileStep } from '../infra/contract/workflow-names.ts';
import { addReports, emptyReport } from './reports.ts';
import { unlimitedRetries } from './timeouts.ts';

const steps = proxyActivities<Activities>({ ...unlimitedRetries, startToCloseTimeout: '10 minutes' });

/** These read the whole ledger, or list the names of the whole object store. */
const long = proxyActivities<Activities>({ ...unlimitedRetries, startToCloseTimeout: '2 hours' });

/** Pages of models in one history: well below Temporal's limits of 51,200 events and 50 MB. */
const pagesOfHistory = 250;

export interface ReconcileStepInput {
  readonly step: ReconcileStep;
  /** Unix milliseconds of the workflow clock at the start of the run. */
  readonly at: number;
  /** The models up to this id are done, with this report. */
  readonly done?: { readonly after: string; readonly report: ReconcileReport; readonly found: number };
}

/** One step of the daily reconciler. The step of models continues as new, so that its history stays small. */
export async function reconcileStep({ step, at, done }: ReconcileStepInput): Promise<ReconcileReport> {
  const run: Readonly<Record<ReconcileStep, () => Promise<ReconcileReport>>> = {
    sweep: () => steps.sweep({ at }),
    models: () => reconcileEach(at, done),
    books: () => long.checkBooks({ at }),
    reference: () => steps.tidyReference({ at }),
    objects: () => long.tidyObjects({ at }),
  };
  return await run[step]();
}

async function reconcileEach(at: number, done: ReconcileStepInput['done']): Promise<ReconcileReport> {
  let report = done?.report ?? emptyReport;
  let found = done?.found ?? 0;
  let after = done?.after ?? null;
  for (let pages = 1; ; pages += 1) {
    const page: Awaited<ReturnType<Activities['reconcileModels']>> = await steps.reconcileModels({ at, after, found });
    report = addReports(report, page);
    found = page.found;
    after = page.next;
    if (after === null) return report;
    if (pages >= pagesOfHistory || workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof reconcileStep>({ step: 'models', at, done: { after, report, found } });
  }
}
