import { findModel } from '../../infra/records/task-models/index.ts';
import type { Sql } from '../../infra/drivers/postgres/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { modelIdPattern } from '../contract/requests.ts';
import { statusAt } from '../../infra/contract/lifecycle.ts';
import type { TaskModelRecord, TaskModelStatus } from '../../infra/contract/task-model.ts';
import type { Caller } from '../http/request.ts';

type Who = Pick<Caller, 'accountId' | 'mode' | 'at'>;

/** The caller's model in whatever state; null when there is none. A test key sees models of test keys only, and a live key live ones. */
export async function lookUp(sql: Sql, { accountId, mode }: Who, id: string): Promise<TaskModelRecord | null> {
  const record = modelIdPattern.test(id) ? await findModel(sql, accountId, id) : null;
  return record?.mode === mode ? record : null;
}

export function notFound(id: string, status?: TaskModelStatus): ApiError {
  const shown = id.slice(0, 60);
  const message = status
    ? `The task model ${shown} is ${status}.`
    : `There is no task model ${shown} on the account that this key can see.`;
  return new ApiError('CLASSIFIER_NOT_FOUND', message, {
    field: 'model_id',
    alternatives: ['GET /v1/task-models lists the models that can be used.'],
    details: status ? { status } : {},
  });
}

/** A model that is collecting or active at the instant of the request; an expired or deleted one answers like a missing one (spec, "States"). */
export function requireLiving(record: TaskModelRecord | null, id: string, at: Date): TaskModelRecord {
  if (!record) throw notFound(id);
  const status = statusAt(record, at);
  if (status === 'expired' || status === 'deleted') throw notFound(id, status);
  return record;
}

export const pathId = (request: { params: unknown }): string => (request.params as { model_id: string }).model_id;
