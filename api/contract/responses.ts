import { z } from 'zod';
import { errorTable, type ErrorCode, type ErrorType } from '../../infra/contract/errors.ts';
import { quotas, type QuotaName } from '../../infra/contract/quotas.ts';
import {
  explanation,
  preparation,
  prior,
  referenceClasses,
  referenceEvidence,
  type Answered,
} from '../../infra/contract/reference-evidence.ts';
import {
  cost,
  modelId,
  signalReport,
  taskKind,
  taskModelFields,
  unixSeconds,
  usd,
} from '../../infra/contract/task-model-resource.ts';
import { methodRef as method, reportSummary } from '../../infra/contract/training-report.ts';

/**
 * Response bodies. Times are Unix epoch seconds; money and counters are decimal strings (spec, "Resources and their
 * fields").
 */

const counter = z.string().regex(/^\d+$/);

export const batchAnswer = z
  .object({
    ...taskModelFields,
    trials_per_class: z.record(z.string(), z.int()),
    batches: z.int(),
  })
  .meta({ id: 'TaskModelBatch', description: 'The task model, with the counts of all batches so far.' });

export const finding = z
  .object({
    check: z.string().meta({ description: 'What was looked at.', examples: ['units'] }),
    message: z.string(),
    change: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'Fields to merge into the request to fix the problem; null if no change does.',
        examples: [{ units: 'V' }],
      }),
    remove: z
      .object({ channels: z.array(z.string()), trials: z.array(z.int().min(0)) })
      .nullable()
      .meta({ description: 'Channels and trials to leave out of `x`, and of the lists beside it, that mend it.' }),
  })
  .meta({
    id: 'Finding',
    description: 'Something to mend, or to know, before the create.',
  });

const fitSeconds = z
  .int()
  .min(1)
  .meta({
    description:
      'Estimated processor seconds of the fit, without waiting for its turn. Where it is long, create with ' +
      '`Prefer: respond-async`.',
  });

export const estimate = z
  .object({
    object: z.literal('task_model.estimate'),
    category: z.string(),
    task_kind: taskKind,
    classes: z.array(z.string()),
    trials_per_class: z.record(z.string(), z.int()),
    priors: z.enum(['balanced', 'as_sent']).meta({ description: 'What `parameters` chose.' }),
    create_usd: usd,
    hosting_usd_per_month: usd,
    batch_usd: usd.meta({ description: 'What this batch costs at once with `defer_fit`; otherwise 0.00.' }),
    windows: z.int(),
    fit_seconds: fitSeconds,
    candidates: z.array(method),
    skipped: z.array(z.object({ id: z.string(), title: z.string(), reason: z.string() })),
    signal: signalReport,
    prior,
    findings: z.array(finding).meta({
      description:
        'All that a create would warn of, each with the change of the request that mends it, where one does. ' +
        'The page /docs/warnings explains each.',
    }),
    warnings: z.array(z.string()).meta({ description: 'The messages of `findings`.' }),
  })
  .meta({ id: 'Estimate' });

export const zeroShotEstimate = z
  .object({
    object: z.literal('task_model.estimate'),
    mode: z.literal('zero_shot'),
    ready: z.boolean().meta({ description: 'false: send the same estimate again until it is true, then create.' }),
    category: z.string(),
    task_kind: taskKind,
    classes: z.array(z.string()),
    create_usd: usd,
    hosting_usd_per_month: usd,
    fit_seconds: fitSeconds,
    preparation: preparation.optional().meta({ description: 'Only while it is not ready, instead of `evidence`.' }),
    evidence: referenceEvidence.optional(),
    explanation,
    reference_classes: referenceClasses,
    warnings: z.array(z.string()),
  })
  .meta({ id: 'ZeroShotEstimate' });

export const taskModelRow = z
  .object({ ...taskModelFields, training_report: reportSummary.optional() })
  .meta({ id: 'TaskModelRow', description: 'A task model with the scores of its training report.' });

export const listPage = z
  .object({
    object: z.literal('list'),
    data: z.array(taskModelRow),
    next_before: modelId.nullable().meta({ description: 'Send as `before` for the next page; null on the last one.' }),
  })
  .meta({ id: 'TaskModelList' });

export const predictionList = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        object: z.literal('classification'),
        index: z.int().min(0),
        label: z.string(),
        probabilities: z.record(z.string(), z.number().min(0).max(1)),
      }),
    ),
    task_model: modelId,
    method,
    align: z.enum(['none', 'batch']),
    priors: z
      .object({ kind: z.enum(['balanced', 'as_sent']), classes: z.record(z.string(), z.number()) })
      .meta({ description: 'How likely the probabilities take each class to be before a trial is looked at.' }),
    signal: signalReport,
    cost,
  })
  .meta({ id: 'PredictionList' });

const usageBlock = z
  .object({
    usd,
    windows: counter,
    requests: counter,
    refused: counter,
    refused_by_code: z.record(z.string(), counter).meta({ description: 'Refused requests by their error code.' }),
    estimates: counter,
    task_model_create_usd: usd.optional(),
    task_model_hosting_usd: usd.optional(),
  })
  .nullable();

export const quotaUse = z
  .object({
    used: counter,
    limit: counter.nullable().meta({ description: 'Null: no limit.' }),
    resets_at: unixSeconds
      .nullable()
      .meta({ description: 'Of a daily allowance: when it begins anew. Null: an amount.' }),
    next_expiry_at: unixSeconds.nullable().meta({
      description: 'Of a stored amount: when the next part of it expires by itself. Null: nothing expires.',
    }),
  })
  .meta({ id: 'QuotaUse', description: 'How much of a quota is used. Deletion frees a stored amount at once.' });

const quotaFields = Object.fromEntries(Object.values(quotas).map(({ column }) => [column, quotaUse])) as Record<
  (typeof quotas)[QuotaName]['column'],
  typeof quotaUse
>;

export const usage = z
  .object({
    object: z.literal('usage'),
    today: usageBlock,
    month: usageBlock,
    limits: z.object({
      rps: counter,
      burst: counter,
      concurrency: counter,
      daily_estimates: counter,
      daily_cap_usd: usd.nullable(),
      monthly_cap_usd: usd.nullable(),
      daily_windows: counter.nullable(),
      monthly_windows: counter.nullable(),
      quotas: z.object(quotaFields).meta({ description: 'What the account may store, and use without paying.' }),
    }),
  })
  .meta({ id: 'Usage' });

const codes = Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]];
const types = [...new Set(Object.values(errorTable).map(({ type }) => type))] as [ErrorType, ...ErrorType[]];

export const change = z.record(z.string(), z.unknown()).meta({
  id: 'Change',
  description:
    'Fields to merge into the body of the request, or into its query or headers where `field` names one of those. ' +
    'Null removes a field.',
  examples: [{ units: 'uV' }, { dryrun: null, dry_run: true }],
});

export const errorObject = z
  .object({
    type: z.enum(types),
    code: z.enum(codes),
    message: z.string(),
    field: z.string().meta({ description: 'Part of the request at fault; empty where no part is.' }),
    alternatives: z.array(change).meta({
      description:
        'Fixes of the request, most useful first. Sending the first makes the request pass and mean the same; where ' +
        'that is not sure, there is none, and `message` says what to do. Where a zero-shot task is not clear, or has ' +
        'no reference recordings, they are choices: what it may mean, or the nearest tasks that there are.',
    }),
    details: z.looseObject({
      request_id: z.string(),
      errors: z
        .array(z.object({ field: z.string(), message: z.string(), alternatives: z.array(change).optional() }))
        .optional()
        .meta({ description: 'Every failing field, at most 200 of them: always with INVALID_REQUEST.' }),
      errors_left_out: z.int().optional().meta({ description: 'Failing fields that are not listed.' }),
      status: z.enum(['expired', 'deleted']).optional(),
    }),
  })
  .meta({ id: 'Error' });

export const preparing = z
  .object({
    object: z.literal('task_model.preparing'),
    preparation,
  })
  .meta({ id: 'TaskModelPreparing' });

export type Estimate = Answered<z.infer<typeof estimate>>;
export type ZeroShotEstimate = Answered<z.infer<typeof zeroShotEstimate>>;
export type Preparing = Answered<z.infer<typeof preparing>>;
export type Usage = Answered<z.infer<typeof usage>>;
