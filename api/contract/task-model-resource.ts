import { limits } from '../../infra/contract/limits.ts';
import type { TaskModelResource } from './responses.ts';
import type { Cost, TaskModelRecord, TaskModelStatus } from '../../infra/contract/task-model.ts';

const day = 86_400_000;
const seconds = (instant: Date | null): number | null => (instant ? Math.floor(instant.getTime() / 1000) : null);
const passed = (instant: Date | null, days: number, at: Date): boolean =>
  instant !== null && instant.getTime() + days * day <= at.getTime();

type Lifetime = Pick<
  TaskModelRecord,
  'status' | 'mode' | 'createdAt' | 'expiresAt' | 'collectUntil' | 'unpaidSince' | 'deletedAt'
>;

/** The status a reader sees at an instant: never later than the clock, whatever timers have run (design, decision 5). */
export function statusAt(record: Lifetime, at: Date): TaskModelStatus {
  if (record.status === 'deleted' || passed(record.deletedAt, 0, at)) return 'deleted';
  if (record.mode === 'test' && passed(record.createdAt, limits.testModelDays, at)) return 'deleted';
  if (record.status === 'collecting') return passed(record.collectUntil, 0, at) ? 'deleted' : 'collecting';
  if (passed(record.expiresAt, 0, at) || passed(record.unpaidSince, limits.unpaidGraceDays, at)) return 'expired';
  return record.status;
}

/** The task model as answered at an instant (spec, "Task model"). `cost` is what the request that is being answered cost. */
export function taskModelResource(record: TaskModelRecord, at: Date, cost?: Cost): TaskModelResource {
  const status = statusAt(record, at);
  const hosted = status === 'active';
  return {
    object: 'task_model',
    id: record.id,
    status,
    test: record.mode === 'test',
    name: record.name,
    description: record.description,
    task_kind: record.taskKind,
    classes: [...record.classes],
    channels: [...record.channels],
    signal: record.signal as TaskModelResource['signal'],
    method: record.method,
    ...(record.trainingReport
      ? { training_report: record.trainingReport as TaskModelResource['training_report'] }
      : {}),
    created: Math.floor(record.createdAt.getTime() / 1000),
    expires_at: seconds(record.expiresAt),
    paid_through: seconds(record.paidThrough),
    next_charge_at: hosted ? seconds(record.nextChargeAt) : null,
    fit_before: status === 'collecting' ? seconds(record.collectUntil) : null,
    ...(cost ? { cost } : {}),
  };
}
