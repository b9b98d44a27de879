import { findModel } from '../../infra/records/task-models/models.ts';
import type { Sql } from '../../infra/drivers/postgres/transaction.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { modelNotFound } from '../../infra/contract/model-not-found.ts';
import { statusAt } from '../../infra/contract/lifecycle.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import { modelIdPattern } from '../../infra/contract/model-id.ts';
import type { Caller } from '../http/request.ts';

type ModelOwner = Pick<Caller, 'accountId' | 'mode' | 'at'>;

/**
 * The caller's model with any status; null if there is none. Test keys see only models of test keys, live keys only
 * those of live keys.
 */
export async function lookUp(sql: Sql, { accountId, mode }: ModelOwner, id: string): Promise<TaskModelRecord | null> {
  const record = modelIdPattern.test(id) ? await findModel(sql, accountId, id) : null;
  return record?.mode === mode ? record : null;
}

/**
 * A model that is collecting or active at the time of the request. An expired or deleted model is answered like a
 * missing one.
 */
export function requireLiving(record: TaskModelRecord | null, id: string, at: Date): TaskModelRecord {
  if (!record) throw modelNotFound(id);
  const status = statusAt(record, at);
  if (status === 'expired' || status === 'deleted') throw modelNotFound(id, status);
  return record;
}

/** The model in the path, as read at admission; null if there is none for this caller. */
export const admittedModel = ({ model, mode }: Pick<Caller, 'model' | 'mode'>): TaskModelRecord | null =>
  model?.mode === mode ? model : null;

/** The living model if it can be served, or an error that applies to every body. */
export function findOrRefuse(caller: Caller, id: string): TaskModelRecord | ApiError {
  try {
    const living = requireLiving(admittedModel(caller), id, caller.at);
    return unservable(living) ?? blocked(living) ?? living;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/**
 * The error for a model whose code or weights this process lacks; null if the model can be served. Hosting months are
 * waived while no process of the service can serve it.
 */
export function unservable({ id, needs }: Pick<TaskModelRecord, 'id' | 'needs'>): ApiError | null {
  if (needs.length === 0) return null;
  return new ApiError(
    'BACKEND_FAILURE',
    `The task model ${id} needs ${needs.join(', ')}, which this server does not have now. Nothing was ` +
      'charged, and hosting is waived while no server holds it.',
    { field: 'model_id', details: { needs } },
  );
}

/** The error for a model that made an API process die; null for all others. */
function blocked({ id, blockedAt }: Pick<TaskModelRecord, 'id' | 'blockedAt'>): ApiError | null {
  if (blockedAt === null) return null;
  return new ApiError(
    'BACKEND_FAILURE',
    `Predictions of the task model ${id} are blocked since ${blockedAt.toISOString()}: a server process ended while it ` +
      'labelled with it. Nothing was charged, and hosting is waived while it is blocked. Ask the operator to unblock it.',
    { field: 'model_id', details: { blocked_at: Math.floor(blockedAt.getTime() / 1000) } },
  );
}

/** Trials can be added, and fits started, only while a model collects. The error names the status. */
export function requireCollecting({ id, status }: Pick<TaskModelRecord, 'id' | 'status'>): void {
  if (status === 'collecting') return;
  throw invalidField(
    'model_id',
    `The task model ${id} is ${status}: it is fitted already. ` +
      'Create another one with `defer_fit` to collect trials.',
  );
}

/**
 * Throws CONFLICT while a fit of the model runs: a new batch would not be part of it, and a second fit would be charged
 * again.
 */
export function requireNoFit({ id, fitPending }: Pick<TaskModelRecord, 'id' | 'fitPending'>): void {
  if (!fitPending) return;
  throw new ApiError('CONFLICT', `A fit of the task model ${id} is running. Wait for its answer.`, {
    field: 'model_id',
    retryAfterSeconds: 5,
  });
}

/** Throws INVALID_REQUEST for a model whose expiry has passed: its fit would be charged for an expired model. */
export function requireUnexpired({ id, expiresAt }: Pick<TaskModelRecord, 'id' | 'expiresAt'>, at: Date): void {
  if (expiresAt === null || expiresAt > at) return;
  throw invalidField(
    'expires_at',
    `The task model ${id} was to expire ${expiresAt.toISOString()}, which has passed; nothing was charged. ` +
      `PATCH /v1/task-models/${id} with {"expires_at": null} or a later date, then call /fit again.`,
  );
}
