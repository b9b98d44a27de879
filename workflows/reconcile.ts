import {
  executeChild,
  ParentClosePolicy,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, ReconcileReport } from '../activities/activities.ts';
import { reconcileSteps, type ReconcileScope, type ReconcileStep } from '../infra/contract/workflow-names.ts';
import { addReports, emptyReport } from './reports.ts';
import type { reconcileStep } from './reconcile-step.ts';
import { unlimitedRetries } from './timeouts.ts';

const { sweep } = proxyActivities<Activities>({ ...unlimitedRetries, startToCloseTimeout: '10 minutes' });

/** A step that takes longer is given up, so that the next day's run can begin. */
const longestStep = '20 hours';

/**
 * The reconciler, on a Temporal Schedule. `sweep` (every few minutes) removes expired staged signals, stuck fits and
 * their credit holds, leases, and idempotency keys. `full` (daily) runs every step as a workflow of its own, so that
 * none waits for another. Returns repairs and the problems that an operator must look at.
 */
export async function reconcile({ scope }: { scope: ReconcileScope }): Promise<ReconcileReport> {
  const reports =
    scope === 'sweep' ? [await sweep({ at: Date.now() })] : await Promise.all(reconcileSteps.map(runStep));
  const report = reports.reduce(addReports, emptyReport);
  const lines = [...report.problems.map((each) => `**${each}**`), ...report.healed];
  setCurrentDetails(lines.join('\n\n') || 'Nothing differs.');
  return report;
}

async function runStep(step: ReconcileStep): Promise<ReconcileReport> {
  try {
    return await executeChild<typeof reconcileStep>('reconcileStep', {
      args: [{ step, at: Date.now() }],
      workflowId: `${workflowInfo().workflowId}/${step}`,
      workflowExecutionTimeout: longestStep,
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      staticSummary: `Reconciler: ${step}`,
    });
  } catch (error) {
    return { ...emptyReport, problems: [`The step "${step}" did not end: ${(error as Error).message}.`] };
  }
}
