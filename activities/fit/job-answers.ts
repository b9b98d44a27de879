import { ApiError } from '../../infra/contract/errors.ts';
import { formatUsd, type MicroUsd } from '../../infra/contract/prices.ts';
import { taskModelResource } from '../../infra/contract/task-model-resource.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { FitAnswer, FitRequest } from '../../infra/contract/fit-request.ts';
import type { FitFailure } from '../activities.ts';

/** The answer with the fitted task model: 201 for a create, 200 for /fit. `charged`: micro-dollars. */
export function fittedAnswer(request: FitRequest, record: TaskModelRecord, at: Date, charged: MicroUsd): FitAnswer {
  const cost = { usd: formatUsd(charged), windows: 0 };
  return { status: 'batches' in request.source ? 200 : 201, body: JSON.stringify(taskModelResource(record, at, cost)) };
}

const advice: Readonly<Partial<Record<FitFailure['code'], readonly string[]>>> = {
  CLASSIFIER_FIT_FAILED: [
    'Send more trials of each class, and check that the trials are not flat, constant or copies of each other.',
  ],
};

/** The error answer of a job that ended without a model. */
export function failureError(
  { code, message, reasons, field }: FitFailure,
  details: Readonly<Record<string, unknown>> = {},
): ApiError {
  return new ApiError(code, message, {
    field,
    advice: advice[code] ?? [],
    details: {
      ...details,
      ...(field === undefined ? {} : { errors: [{ field, message }] }),
      ...(reasons.length && code === 'CLASSIFIER_FIT_FAILED' ? { methods: reasons } : {}),
    },
  });
}
