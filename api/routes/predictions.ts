import { limits } from '../../infra/contract/limits.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import { dollars, prices } from '../../infra/contract/prices.ts';
import { createChargeQueue } from '../../infra/records/ledger/charge-queue.ts';
import { codes, modelPath, permissions } from '../contract/operation.ts';
import { predictRequest } from '../contract/requests.ts';
import { predictionList } from '../contract/responses.ts';
import { sendAnswer } from '../http/answer.ts';
import { mayReplay } from '../http/idempotency.ts';
import { contextOf, callerOf } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { labelAtOnce } from '../use-cases/label-at-once.ts';
import { predict } from '../use-cases/predict.ts';
import type { Route } from './route.ts';
import { readModelAndTrials } from './read-model-and-trials.ts';

export const predictTrials: Route = {
  operation: {
    id: 'predict',
    method: 'post',
    path: `${modelPath}/predictions`,
    tag: 'Predictions',
    summary: 'Label new trials',
    scopes: permissions.use,
    endpoint: 'task_models.predict',
    bodyBytes: limits.bodyBytes,
    idempotent: true,
    beginsKey: true,
    description:
      'One label and one probability per class for every trial, in the order sent; ' +
      `${dollars(prices.window)} per four-second window. ` +
      'The channel names are those of the model, in any order. ' +
      'Trials that differ by one sample from the length of the fit are cut or extended to it. Longer ' +
      'trials are read in windows, and shorter ones are refused. `signal.warnings` says what was done.',
    requests: [predictRequest],
    examples: ['predict', 'predict_batch'],
    answers: { 200: { schema: predictionList, words: 'The predictions.' } },
    errors: ['CLASSIFIER_NOT_FOUND', 'BACKEND_FAILURE', ...codes.trials, ...codes.once],
  },
  handle: (deps) => {
    const charges = deps.charges ?? createChargeQueue(deps.pool);
    return async (request, reply) => {
      const labels = (record: TaskModelRecord) => (mayReplay(request) ? null : labelAtOnce(callerOf(request), record));
      const read = await readModelAndTrials(deps, request, 'predict', labels);
      if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
      return runOnce(deps, request, reply, read.intake.hash, (ticket) =>
        predict({ ...deps, charges }, contextOf(request), read, ticket),
      );
    };
  },
};
