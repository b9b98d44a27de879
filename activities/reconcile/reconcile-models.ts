import { WorkflowNotFoundError } from '@temporalio/common';
import { nextDue } from '../../infra/contract/lifecycle.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { modelsNeedingWorkflow } from '../../infra/records/fit-jobs/stuck.ts';
import { wakeTaskModel } from '../../infra/drivers/temporal/task-model-workflow.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../activities.ts';

const pageSize = 200;
const lateMs = 10 * 60_000;

/**
 * Checks one page of the models that need a workflow. Starts a missing workflow. Wakes and reports one that missed its
 * due instant.
 */
export function createReconcileModels(tools: Tools): Activities['reconcileModels'] {
  return async ({ at, after, found }) => {
    const ids = await modelsNeedingWorkflow(tools.pool, after, pageSize);
    const healed: string[] = [];
    const problems: string[] = [];
    for (const id of ids) {
      const running = await isRunning(tools, id);
      const overdue = await overdueOf(tools, id, at);
      if (running && !overdue) continue;
      await wakeTaskModel(tools.client, id, tools.taskQueue);
      if (!running) healed.push(`${id}: its workflow was missing and was started${overdue ? ` (${overdue})` : ''}`);
      else problems.push(`${id}: ${overdue}; its workflow was running and was woken`);
    }
    const next = ids.length === pageSize ? ids.at(-1)! : null;
    return { healed, problems, next, found: found + problems.length };
  };
}

async function isRunning({ client }: Tools, id: string): Promise<boolean> {
  try {
    return (await client.workflow.getHandle(id).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

async function overdueOf({ pool }: Tools, id: string, at: number): Promise<string | null> {
  const model = await readStored(pool, id);
  if (model?.cleanup === 'all') {
    const ended = model.deletedAt ?? model.expiresAt;
    if (ended && ended.getTime() < at - lateMs) return `its data were to be erased at ${ended.toISOString()}`;
  }
  const due = model && nextDue(model);
  return due && due.at.getTime() < at - lateMs ? `"${due.what}" was due ${due.at.toISOString()}` : null;
}
