import { ask, asFailure } from '../fetch.ts';
import type { ListAnswer, TaskModelAnswer } from './response-types.ts';

/** Live and test models are separate, like their keys. */
export type Mode = 'live' | 'test';

const headers = (mode: Mode) => ({ 'x-key-mode': mode });

/** A page of the models that are collecting or active, newest first. */
export const listModels = async (mode: Mode, before: string | null): Promise<ListAnswer> =>
  (
    await ask<ListAnswer>('GET', `/v1/task-models?limit=20${before ? `&before=${encodeURIComponent(before)}` : ''}`, {
      headers: headers(mode),
    })
  ).body;

/** One model, live or test. */
export async function readModel(id: string): Promise<TaskModelAnswer> {
  const path = `/v1/task-models/${encodeURIComponent(id)}`;
  try {
    return (await ask<TaskModelAnswer>('GET', path, { headers: headers('live') })).body;
  } catch (error) {
    if (asFailure(error).error.code !== 'CLASSIFIER_NOT_FOUND') throw error;
    return await ask<TaskModelAnswer>('GET', path, { headers: headers('test') }).then(
      ({ body }) => body,
      // If neither mode has the model, the first refusal says more about it.
      () => Promise.reject(error as Error),
    );
  }
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
  void (await ask('DELETE', `/v1/task-models/${model.id}`, { headers: headers(modeOf(model)) }));
