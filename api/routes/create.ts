import { limits } from '../../infra/contract/limits.ts';
import { dollars, prices } from '../../infra/contract/prices.ts';
import { job } from '../contract/job.ts';
import { codes, permissions } from '../contract/operation.ts';
import { createRequest, zeroShotRequest } from '../contract/requests.ts';
import { estimate, preparing, zeroShotEstimate } from '../contract/responses.ts';
import { taskModel } from '../../infra/contract/task-model-resource.ts';
import { sendAnswer } from '../http/answer.ts';
import { readBody } from '../http/read-body.ts';
import { contextOf } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { create } from '../use-cases/create.ts';
import type { Route } from './route.ts';

export const createTaskModel: Route = {
  operation: {
    id: 'createTaskModel',
    method: 'post',
    path: '/v1/task-models',
    tag: 'Task models',
    summary: 'Create a task model',
    scopes: permissions.use,
    endpoint: 'task_models.create',
    bodyBytes: limits.bodyBytes,
    idempotent: true,
    description:
      `Fits every compatible method on the trials, keeps the best and hosts it: ${dollars(prices.createFee)} ` +
      `once and ${dollars(prices.hostingMonth)} for each ${limits.hostingDays} days of hosting. ` +
      'With `dry_run` an estimate; with `defer_fit` the trials are collected ' +
      'over several requests; with `mode: "zero_shot"` no trials are sent: estimate until `ready`, review ' +
      '`explanation`, then create with `reference_classes` unchanged.',
    requests: [createRequest, zeroShotRequest],
    examples: ['create', 'create_nested', 'estimate', 'defer_fit', 'zero_shot'],
    respondsAsync: true,
    answers: {
      200: {
        schema: [estimate, zeroShotEstimate],
        words:
          'The estimate (`dry_run`). One without trials that is not `ready` has Retry-After, and is not the last word: ' +
          'send it again.',
      },
      201: { schema: taskModel, words: 'The task model; Location says where it is.' },
      202: {
        schema: [preparing, job],
        words:
          'Reference data is being prepared: send the same request again with the same Idempotency-Key. Or, with ' +
          '`Prefer: respond-async`, the job of the create; Location says where it is.',
      },
    },
    errors: [
      ...codes.trials,
      ...codes.fit,
      ...codes.once,
      'CLASSIFIER_NOT_FOUND',
      'TASK_UNSUPPORTED',
      'NO_REFERENCE_DATA',
    ],
  },
  handle: (deps) => async (request, reply) => {
    const read = await readBody(deps, request, 'create');
    if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
    const { intake } = read;
    return runOnce(deps, request, reply, intake.hash, (ticket) => create(deps, contextOf(request), intake, ticket));
  },
};
