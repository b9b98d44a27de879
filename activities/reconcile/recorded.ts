import { Context } from '@temporalio/activity';
import { objectPrefixes, ownerOf } from '../../infra/contract/object-names.ts';
import { recordReconciled } from '../../infra/records/books-summary.ts';
import type { Tools } from '../tools.ts';
import type { ReconcileReport } from '../activities.ts';
import { withHeartbeats } from '../with-heartbeats.ts';

interface Step<Input, Report> {
  readonly name: string;
  run(input: Input, signal: AbortSignal): Promise<Report>;
  /** The report of a step that was given up; absent: a report with only the problem. */
  whole?(report: ReconcileReport): Report;
  oldestStaged?(): Promise<Date | null>;
  /** Number of problems of the step so far; absent: those of the report. */
  found?(report: Report): number;
}

/** Most lines of each kind in the result of an activity, which a history keeps. */
const mostLines = 20;
/** Most problems of a step that the log gets. */
const mostLogged = 100;

const bounded = <Report extends ReconcileReport>(report: Report): Report => ({
  ...report,
  healed: report.healed.slice(0, mostLines),
  problems: report.problems.slice(0, mostLines),
  more: Math.max(0, report.healed.length - mostLines) + Math.max(0, report.problems.length - mostLines),
});

/**
 * Runs a step of the reconciler with heartbeats, as a recorded attempt. It records when the step ended and the number
 * of problems. A step that ended its process twice is a problem; the next steps still run.
 */
export const recorded =
  <Input extends { readonly at: number }, Report extends ReconcileReport>(
    { pool, attempt, log }: Pick<Tools, 'pool' | 'attempt' | 'log'>,
    {
      name,
      run,
      whole = (report) => report as Report,
      oldestStaged = async () => null,
      found = (report) => report.problems.length,
    }: Step<Input, Report>,
  ) =>
  (input: Input): Promise<Report> =>
    withHeartbeats(async (signal) => {
      const { workflowExecution, activityId } = Context.current().info;
      const problem = `The step "${name}" of the reconciler ended its process twice and was given up.`;
      const job = {
        id: `reconcile/${name}/${workflowExecution?.runId}/${activityId}`,
        kind: 'reconcile',
        mayRequeue: true,
        givenUp: () => whole({ healed: [], problems: [problem] }),
      } as const;
      const report = await attempt<Report>(job, signal, () => run(input, signal));
      for (const each of report.problems.slice(0, mostLogged)) log?.warn(`Reconciler, ${name}: ${each}`);
      const problems = found(report);
      const at = new Date(input.at);
      await recordReconciled(pool, { step: name, at, problems, oldestStagedAt: await oldestStaged() });
      return bounded(report);
    });

/** Write time of the oldest signal that is still staged, among those of the oldest hour; null if there is none. */
export async function oldestStagedAt({ objects }: Pick<Tools, 'objects'>): Promise<Date | null> {
  let first: string | null = null;
  let oldest: Date | null = null;
  for await (const { name, modifiedAt } of objects.walk(objectPrefixes.staged)) {
    if (!ownerOf(name)) continue;
    const folder = name.split('/', 2).join('/');
    first ??= folder;
    if (folder !== first) break;
    if (oldest === null || modifiedAt < oldest) oldest = modifiedAt;
  }
  return oldest;
}
