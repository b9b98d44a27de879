import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { patchModel } from '../../infra/records/task-models/models.ts';
import { eraseAnswersOf } from '../../infra/records/task-models/erase-answers.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { invalidRequest } from '../../infra/contract/invalid-request.ts';
import { modelNotFound } from '../../infra/contract/model-not-found.ts';
import type { PatchRequest } from '../contract/requests.ts';
import { type TaskModelResource, taskModelResource } from '../../infra/contract/task-model-resource.ts';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../http/request.ts';
import { expiryWarnings, instantOf, pastExpiry } from '../intake/expiry.ts';
import { admittedModel, requireLiving } from './find-model.ts';

/** Renames a living model or changes its expiry. `readChange` validates the body after the model was found. */
export async function updateModel(
  deps: ApiDeps,
  caller: Caller,
  id: string,
  readChange: () => PatchRequest,
): Promise<TaskModelResource> {
  let warnings: readonly string[] = [];
  const record = await transaction(deps.pool, async (sql) => {
    requireLiving(admittedModel(caller), id, caller.at);
    const { name, expires_at } = readChange();
    warnings = expiryWarnings(expires_at);
    const past = pastExpiry(expires_at, caller.at);
    if (past) throw invalidRequest([past]);
    const expiresAt = typeof expires_at === 'string' ? instantOf(expires_at) : expires_at;
    return patchModel(sql, caller.accountId, id, { name, expiresAt });
  });
  await deps.jobs.refresh(id);
  const model = taskModelResource(requireLiving(record, id, caller.at), caller.at);
  return warnings.length > 0 ? { ...model, warnings } : model;
}

/**
 * Deletes a model and erases the stored answers about it; if that fails, its workflow erases them. Deleting a deleted
 * model succeeds again.
 */
export async function deleteModel(deps: ApiDeps, caller: Caller, id: string): Promise<TaskModelResource> {
  if (!admittedModel(caller)) throw modelNotFound(id);
  const record = await transaction(deps.pool, (sql) => markDeleted(sql, caller.accountId, id, caller.at));
  try {
    await eraseAnswersOf(deps.pool, id);
  } finally {
    await deps.jobs.refresh(id);
  }
  return taskModelResource(record!, caller.at);
}
