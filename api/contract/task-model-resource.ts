import { endOfTest, statusAt } from '../../infra/contract/lifecycle.ts';
import type { TaskModelResource } from './responses.ts';
import type { Cost, TaskModelRecord } from '../../infra/contract/task-model.ts';

const seconds = (instant: Date | null): number | null => (instant ? Math.floor(instant.getTime() / 1000) : null);

/**
 * The task model as answered at an instant (spec, "Task model"). `cost` is what the request that is being answered
 * cost.
 */
export function taskModelResource(record: TaskModelRecord, at: Date, cost?: Cost): TaskModelResource {
  const status = statusAt(record, at);
  const hosted = status === 'active';
  return {
    object: 'task_model',
    id: record.id,
    status,
    ...(record.reference ? { mode: 'zero_shot' as const } : {}),
    test: record.mode === 'test',
    name: record.name,
    description: record.description,
    task_kind: record.taskKind,
    classes: record.classes,
    channels: record.channels,
    signal: record.signal,
    method: record.method,
    ...(record.trainingReport
      ? { training_report: record.trainingReport as TaskModelResource['training_report'] }
      : {}),
    ...(record.reference ? referenceFields(record.reference) : {}),
    created: Math.floor(record.createdAt.getTime() / 1000),
    expires_at: seconds(record.expiresAt),
    test_ends_at: seconds(endOfTest(record)),
    paid_through: seconds(record.paidThrough),
    next_charge_at: hosted ? seconds(record.nextChargeAt) : null,
    fit_before: status === 'collecting' && !record.fitPending ? seconds(record.collectUntil) : null,
    ...(cost ? { cost } : {}),
  };
}

/** What only a model without trials of its owner's has; a list leaves the evidence out. */
const referenceFields = ({ classes, explanation, evidence }: NonNullable<TaskModelRecord['reference']>) => ({
  ...(evidence ? { evidence: evidence as TaskModelResource['evidence'] } : {}),
  explanation,
  reference_classes: classes,
});
