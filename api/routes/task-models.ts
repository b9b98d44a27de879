import { listModels } from '../../infra/records/task-models/models.ts';
import { limits } from '../../infra/contract/limits.ts';
import { modelIdPattern } from '../../infra/contract/model-id.ts';
import { codes, modelPath, permissions, smallBody } from '../contract/operation.ts';
import { listQuery, patchRequest } from '../contract/requests.ts';
import { listPage } from '../contract/responses.ts';
import { taskModel, taskModelResource } from '../../infra/contract/task-model-resource.ts';
import { parseSmallBody, readFields } from '../http/body.ts';
import { callerOf, pathId } from '../http/request.ts';
import { deleteModel, updateModel } from '../use-cases/change-model.ts';
import { admittedModel, requireLiving } from '../use-cases/find-model.ts';
import type { Route } from './route.ts';

const { min: minimum, max: maximum, default: usual } = limits.listPageSize;

export const listTaskModels: Route = {
  operation: {
    id: 'listTaskModels',
    method: 'get',
    path: '/v1/task-models',
    tag: 'Task models',
    summary: 'List task models',
    scopes: permissions.read,
    endpoint: 'task_models.list',
    description: 'Collecting and active models, newest first.',
    query: [
      { name: 'limit', schema: { type: 'integer', minimum, maximum, default: usual }, words: 'Models per page.' },
      {
        name: 'before',
        schema: { type: 'string', pattern: modelIdPattern.source },
        words: 'The `next_before` of the page before.',
      },
    ],
    answers: { 200: { schema: listPage, words: 'A page.' } },
    errors: ['INVALID_REQUEST'],
  },
  handle: (deps) => async (request) => {
    const { limit, before } = readFields(listQuery, request.query);
    const { accountId, mode, at } = callerOf(request);
    const page = await listModels(deps.pool, accountId, { limit, before, at, mode });
    return {
      object: 'list',
      data: page.models.map((record) => taskModelResource(record, at)),
      next_before: page.nextBefore,
    };
  },
};

export const getTaskModel: Route = {
  operation: {
    id: 'getTaskModel',
    method: 'get',
    path: modelPath,
    tag: 'Task models',
    summary: 'Read a task model',
    description: 'A collecting or active model with its training report.',
    scopes: permissions.read,
    endpoint: 'task_models.read',
    readsReport: true,
    answers: { 200: { schema: taskModel, words: 'The task model.' } },
    errors: ['CLASSIFIER_NOT_FOUND'],
  },
  handle: () => async (request) => {
    const caller = callerOf(request);
    return taskModelResource(requireLiving(admittedModel(caller), pathId(request), caller.at), caller.at);
  },
};

export const updateTaskModel: Route = {
  operation: {
    id: 'updateTaskModel',
    method: 'patch',
    path: modelPath,
    tag: 'Task models',
    summary: 'Rename, or change the expiry',
    description: 'Fields that are left out stay as they are; null clears.',
    scopes: permissions.use,
    endpoint: 'task_models.update',
    bodyBytes: smallBody,
    requests: [patchRequest],
    examples: ['rename', 'keep'],
    answers: { 200: { schema: taskModel, words: 'The task model.' } },
    errors: ['CLASSIFIER_NOT_FOUND', ...codes.body],
  },
  handle: (deps) => async (request) => {
    const body = parseSmallBody(request.body, undefined);
    return updateModel(deps, callerOf(request), pathId(request), () => readFields(patchRequest, body));
  },
};

export const deleteTaskModel: Route = {
  operation: {
    id: 'deleteTaskModel',
    method: 'delete',
    path: modelPath,
    tag: 'Task models',
    summary: 'Delete a task model',
    description:
      'Ends hosting, also for a suspended account, and erases the stored answers about the model. A retry of its create ' +
      'with the same Idempotency-Key is then answered 404. Deleting again answers 200 again.',
    whileSuspended: true,
    scopes: permissions.use,
    endpoint: 'task_models.delete',
    bodyBytes: smallBody,
    answers: { 200: { schema: taskModel, words: 'The deleted task model.' } },
    errors: ['CLASSIFIER_NOT_FOUND', ...codes.body],
  },
  handle: (deps) => (request) => deleteModel(deps, callerOf(request), pathId(request)),
};
