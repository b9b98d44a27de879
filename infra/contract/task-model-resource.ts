import { z } from 'zod';
import { endOfTest, statusAt } from './lifecycle.ts';
import { limits } from './limits.ts';
import { modelIdPattern } from './model-id.ts';
import { explanation, referenceClasses, referenceEvidence, type Answered } from './reference-evidence.ts';
import type { Cost, SignalReport, TaskModelRecord, TaskModelStatus } from './task-model.ts';
import { methodRef as method, trainingReport } from './training-report.ts';

export const unixSeconds = z.int().min(0);
export const usd = z
  .string()
  .regex(/^-?\d+\.\d{2,6}$/)
  .meta({ examples: ['1.00', '0.003'] });
export const modelId = z.string().regex(modelIdPattern).meta({ description: '`clf_` and 32 hexadecimal digits.' });

export const taskKind = z.enum(['erp', 'motor', 'sleep', 'other']) satisfies z.ZodType<TaskModelRecord['taskKind']>;
const status = z.enum(['collecting', 'active', 'expired', 'deleted']) satisfies z.ZodType<TaskModelStatus>;

export const cost = z
  .object({ usd, windows: z.int().min(0) })
  .meta({ description: 'What this request cost.' }) satisfies z.ZodType<Cost>;

export const signalReport = z
  .object({
    sampling_rate_hz: z.number(),
    resampled_to_hz: z.number(),
    trials: z.int(),
    channels: z.int(),
    samples_per_trial: z.int(),
    seconds_per_trial: z.number(),
    units: z.string(),
    renamed_channels: z.record(z.string(), z.string()),
    warnings: z.array(z.string()),
  })
  .meta({
    id: 'SignalReport',
    description: 'Effects of resampling and channel matching.',
  }) satisfies z.ZodType<SignalReport>;

export const taskModelFields = {
  object: z.literal('task_model'),
  id: modelId,
  status,
  mode: z.literal('zero_shot').optional().meta({
    description:
      'Fitted on reference recordings, without your own trials. Absent if the model was fitted on your trials.',
  }),
  test: z.boolean().meta({
    description: `Created with a test key: free, deleted after ${limits.testModelDays} days.`,
  }),
  name: z.string().nullable(),
  description: z.string(),
  task_kind: taskKind,
  classes: z.array(z.string()),
  channels: z.array(z.string()),
  signal: signalReport,
  method: method.nullable().meta({ description: 'The winning method, pinned to the version it was selected in.' }),
  training_report: trainingReport.optional(),
  evidence: referenceEvidence.optional(),
  explanation: explanation.optional(),
  reference_classes: referenceClasses.optional(),
  created: unixSeconds,
  expires_at: unixSeconds.nullable(),
  test_ends_at: unixSeconds.nullable().meta({ description: 'A model of a test key is deleted at this time.' }),
  paid_through: unixSeconds.nullable(),
  next_charge_at: unixSeconds.nullable(),
  fit_before: unixSeconds
    .nullable()
    .meta({ description: 'A collecting model is deleted at this time unless it is fitted.' }),
  cost: cost.optional(),
  warnings: z.array(z.string()).optional().meta({ description: 'How an ambiguous change was read.' }),
};

export const taskModel = z.object(taskModelFields).meta({ id: 'TaskModel' });

export type TaskModelResource = Answered<z.infer<typeof taskModel>>;

const seconds = (instant: Date | null): number | null => (instant ? Math.floor(instant.getTime() / 1000) : null);

/** The task model in a response at an instant (spec, "Task model"). `cost` is the cost of the current request. */
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

/** Fields of a model without its owner's trials; lists omit the evidence. */
const referenceFields = ({ classes, explanation, evidence }: NonNullable<TaskModelRecord['reference']>) => ({
  ...(evidence ? { evidence: evidence as TaskModelResource['evidence'] } : {}),
  explanation,
  reference_classes: classes,
});
