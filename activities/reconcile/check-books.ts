import { closeLedger } from '../../infra/records/ledger/close.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { unservableModels } from '../../infra/records/task-models/pinned.ts';
import { objectRights } from '../../infra/records/fit-jobs/stuck.ts';
import { temporalNames } from '../../infra/contract/workflow-names.ts';
import { wakeTaskModel } from '../../infra/drivers/temporal/task-model-workflow.ts';
import type { Tools } from '../tools.ts';
import type { ReconcileReport } from '../activities.ts';

const living = new Set(['fitting', 'collecting', 'active']);

/**
 * Closes the days that have ended, checks every invariant of the ledger with their sums, and lists models that the
 * service cannot serve. A ledger that could not be closed is checked all the same. Wakes the workflows of models that
 * have ended, so that the workflows end too.
 */
export function createCheckBooks(
  tools: Tools,
): (input: { readonly at: number }, signal: AbortSignal) => Promise<ReconcileReport> {
  return async ({ at }, signal) => {
    const now = await tools.clock(at);
    const notClosed = await closeLedger(tools.pool, now, signal).then(
      () => [],
      (error: unknown) => {
        signal.throwIfAborted();
        return [`The days that have ended could not be closed: ${(error as Error).message}`];
      },
    );
    const { problems, head, transactions, unsealed } = await checkLedger(tools.pool, { at: now, carry: true, signal });
    tools.log?.info(
      `The ledger was checked: ${transactions} transactions, ${unsealed} not sealed yet, ${problems.length} problems, ` +
        (head ? `head ${head.hash} of seal ${head.number}, branch ${head.branch}.` : 'no head yet.'),
    );
    const unservable = await unservableModels(tools.pool);
    const running: string[] = [];
    const query = `WorkflowType = '${temporalNames.taskModel}' AND ExecutionStatus = 'Running'`;
    for await (const { workflowId } of tools.client.workflow.list({ query })) running.push(workflowId);
    const rights = await objectRights(tools.pool, running);
    const ended = running.filter((id) => !living.has(rights.get(id)?.status ?? ''));
    for (const id of ended) await wakeTaskModel(tools.client, id, tools.taskQueue);
    return {
      healed: ended.map((id) => `${id}: its workflow ran on after its end and was woken`),
      problems: [
        ...notClosed,
        ...problems.map(({ invariant, row, problem }) => `${invariant}: ${row}: ${problem}`),
        ...unservable.map(
          ({ modelId, needs }) =>
            `${modelId}: cannot be served: needs ${needs.join(', ')}, which this service does not have`,
        ),
      ],
    };
  };
}
