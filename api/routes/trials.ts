import { limits } from '../../infra/contract/limits.ts';
import { dollars, prices } from '../../infra/contract/prices.ts';
import { codes, modelPath, permissions } from '../contract/operation.ts';
import { batchRequest } from '../contract/requests.ts';
import { batchAnswer } from '../contract/responses.ts';
import { sendAnswer } from '../http/answer.ts';
import { contextOf } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { addBatch } from '../use-cases/add-batch.ts';
import type { Route } from './route.ts';
import { readModelAndTrials } from './read-model-and-trials.ts';

export const addTrials: Route = {
  operation: {
    id: 'addTrials',
    method: 'post',
    path: `${modelPath}/trials`,
    tag: 'Task models',
    summary: 'Add a batch of trials',
    scopes: permissions.use,
    endpoint: 'task_models.trials',
    bodyBytes: limits.bodyBytes,
    idempotent: true,
    description:
      `Adds a batch to a collecting model, ${dollars(prices.window)} per four-second window. ` +
      'Only features are kept, never ' +
      'the signal. Shuffle trials beforehand so that each batch contains every class. ' +
      'Trials of all batches have the length of the first batch. One sample more or less is cut or extended. ' +
      'Other rates are resampled if they contain the frequencies of the first batch. `signal.warnings` says so.',
    requests: [batchRequest],
    examples: ['batch'],
    answers: { 200: { schema: batchAnswer, words: 'The task model, with counts per class.' } },
    errors: ['CLASSIFIER_NOT_FOUND', 'TASK_UNSUPPORTED', 'BACKEND_FAILURE', ...codes.trials, ...codes.once],
  },
  handle: (deps) => async (request, reply) => {
    const read = await readModelAndTrials(deps, request, 'batch');
    if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
    return runOnce(deps, request, reply, read.intake.hash, (ticket) =>
      addBatch(deps, contextOf(request), read.record, read.intake, ticket),
    );
  },
};
