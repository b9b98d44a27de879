import { isOver, nextDue } from '../../infra/contract/lifecycle.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import type { StoredTaskModel } from '../../infra/records/task-models/rows.ts';
import { pendingFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { withHeartbeats } from '../with-heartbeats.ts';
import type { Tools } from '../tools.ts';
import type { Activities, Lifecycle } from '../activities.ts';

/** The status of a model, its next automatic event, and its requested job. */
export function createReadLifecycle({ pool }: Tools): Activities['readLifecycle'] {
  return ({ modelId, at }) =>
    withHeartbeats(async () => {
      const [model, job] = await Promise.all([readStored(pool, modelId), pendingFit(pool, modelId)]);
      return model && lifecycleOf(model, job, at);
    });
}

function lifecycleOf(model: StoredTaskModel, pending: Lifecycle['pendingFit'], at: number): Lifecycle {
  const { status, accountId, mode, taskKind, unpaidSince } = model;
  const next = nextDue(model);
  const due =
    model.cleanup !== 'none'
      ? { at, what: 'Delete what the model needs no more' }
      : isOver(status)
        ? { at, what: 'Nothing is left to do' }
        : next && { at: next.at.getTime(), what: next.what };
  return {
    status,
    accountId,
    mode,
    taskKind,
    due,
    unpaid: unpaidSince !== null,
    notes: notesOf(model),
    pendingFit: pending,
  };
}

const dates = [
  ['Created', 'createdAt'],
  ['Collects until', 'collectUntil'],
  ['Fitted', 'fittedAt'],
  ['Paid through', 'paidThrough'],
  ['Unpaid since', 'unpaidSince'],
  ['Expires', 'expiresAt'],
  ['Deleted', 'deletedAt'],
] as const;

function notesOf(model: StoredTaskModel): string[] {
  const method = model.method ? [`Method: ${model.method.title} (${model.method.version})`] : [];
  return [...method, ...dates.flatMap(([name, key]) => (model[key] ? [`${name}: ${model[key].toISOString()}`] : []))];
}
