import { ScheduleAlreadyRunning, ScheduleOverlapPolicy, type Client, type ScheduleOptions } from '@temporalio/client';
import { temporalNames, type ReconcileScope } from '../../contract/workflow-names.ts';

type Row = Pick<ScheduleOptions, 'scheduleId' | 'spec'> & {
  readonly scope: ReconcileScope;
  readonly summary: string;
};

const rows: readonly Row[] = [
  {
    scheduleId: temporalNames.schedules.daily,
    scope: 'full',
    summary: 'Compares models with workflows and checks the ledger',
    spec: { calendars: [{ hour: 3, minute: 20, comment: 'daily, UTC' }] },
  },
  {
    scheduleId: temporalNames.schedules.sweep,
    scope: 'sweep',
    summary: 'Reaps staged signals, stuck fits, leases and keys',
    spec: { intervals: [{ every: '5 minutes' }] },
  },
];

/** Creates missing schedules of the reconciler and returns their ids. Idempotent. */
export async function ensureSchedules(client: Client, taskQueue: string = temporalNames.taskQueue): Promise<string[]> {
  const created: string[] = [];
  for (const { scheduleId, spec, scope, summary } of rows) {
    try {
      await client.schedule.create({
        scheduleId,
        spec,
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 day' },
        action: {
          type: 'startWorkflow',
          workflowType: temporalNames.reconcile,
          args: [{ scope }],
          taskQueue,
          workflowId: scheduleId,
          staticSummary: summary,
        },
      });
      created.push(scheduleId);
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    }
  }
  return created;
}
