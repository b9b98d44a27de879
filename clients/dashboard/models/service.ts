import { limits } from '../../../infra/contract/limits.ts';
import type { ModelStateAnswer } from '../../../api/account/contract/responses.ts';
import { ask, failed, read } from '../fetch.ts';
import { deletesInFlight } from './deletes-in-flight.ts';
import type { ListAnswer, TaskModelAnswer } from './response-types.ts';

/** Live and test models are separate, like their keys. */
export type Mode = 'live' | 'test';

const headers = (mode: Mode) => ({ 'x-key-mode': mode });

/** A page of the models that are collecting or active, newest first. */
export const listModels = async (mode: Mode, before: string | null): Promise<ListAnswer> =>
  (
    await ask<ListAnswer>(
      'GET',
      `/v1/task-models?limit=${limits.listPageSize.max}${before ? `&before=${encodeURIComponent(before)}` : ''}`,
      {
        headers: headers(mode),
      },
    )
  ).body;

const endWords = {
  deleted: 'This model was deleted.',
  expired: 'This model has expired, and no longer labels recordings.',
  never: 'There is no such model in this account.',
} as const;

const pollMs = 200;

/** The mode and status of a model. Waits for a delete, so that no request names a model that is being deleted. */
async function stateOf(id: string): Promise<ModelStateAnswer> {
  const state = await read<ModelStateAnswer>(`/models/${encodeURIComponent(id)}/state`);
  if (state.mode === null || state.status === 'deleted' || !deletesInFlight.has(id)) return state;
  await new Promise((resolve) => setTimeout(resolve, pollMs));
  return await stateOf(id);
}

/** One model, live or test. A model that has ended, or that never was, throws a failure with its own words. */
export async function readModel(id: string): Promise<TaskModelAnswer> {
  const { mode, status } = await stateOf(id);
  if (mode === null || status === 'deleted' || status === 'expired')
    throw failed('CLASSIFIER_NOT_FOUND', endWords[mode === null ? 'never' : (status as 'deleted' | 'expired')], 404);
  return (await ask<TaskModelAnswer>('GET', `/v1/task-models/${encodeURIComponent(id)}`, { headers: headers(mode) }))
    .body;
}

const modeOf = ({ test }: TaskModelAnswer): Mode => (test ? 'test' : 'live');

/** Renames a model or changes its expiry. */
export const changeModel = async (
  model: TaskModelAnswer,
  change: { readonly name?: string | null; readonly expires_at?: string | null },
): Promise<TaskModelAnswer> =>
  (
    await ask<TaskModelAnswer>('PATCH', `/v1/task-models/${model.id}`, {
      body: change,
      headers: headers(modeOf(model)),
    })
  ).body;

export const deleteModel = async (model: TaskModelAnswer): Promise<void> =>
  void (await ask('DELETE', `/v1/task-models/${model.id}`, { headers: headers(modeOf(model)), keepalive: true }));
