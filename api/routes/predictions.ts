import type { FastifyInstance } from 'fastify';
import { hostingIsDue, payDueHosting } from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { formatUsd } from '../../infra/contract/prices.ts';
import type { PredictRequest } from '../contract/requests.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import { requireSameChannels } from '../use-cases/same-channels.ts';
import { pathId } from '../use-cases/find-model.ts';
import { sendAnswer, type Answer } from '../http/answer.ts';
import { readBody } from '../http/read-body.ts';
import { callerOf } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { chargeWindows, windowsCost } from '../use-cases/create-deferred.ts';
import { findOrRefuse } from './trials.ts';

function requireFitted(record: TaskModelRecord): void {
  if (record.status !== 'active') {
    throw invalidField(
      'model_id',
      `The task model ${record.id} is ${record.status}: call POST /v1/task-models/${record.id}/fit before predicting.`,
    );
  }
}

/** Anything but an ApiError from the model's thread is the service's fault, and is not charged. */
function modelFault(cause: unknown): ApiError {
  return cause instanceof ApiError
    ? cause
    : new ApiError(
        'BACKEND_FAILURE',
        'The model failed on the service side; nothing was charged. Send the request again.',
        { cause },
      );
}

export function predictionsRoute(app: FastifyInstance, deps: ApiDeps): void {
  const endpoint = 'task_models.predict';
  const config = { endpoint, scopes: ['predictions'], bodyBytes: limits.bodyBytes };
  app.post('/v1/task-models/:model_id/predictions', { config }, async (request, reply) => {
    const caller = callerOf(request);
    const modelId = pathId(request);
    const found = await findOrRefuse(deps, caller, modelId);
    const read = await readBody(deps, request, 'predict', found instanceof ApiError ? found : null);
    if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
    const record = found as TaskModelRecord;
    const { intake } = read;
    const {
      align,
      stride_seconds: strideSeconds,
      missing_channels: missingChannels,
    } = intake.envelope as Omit<PredictRequest, 'x'>;
    const { windows } = intake;
    return runOnce(deps, request, reply, intake.hash, async (ticket) => {
      requireFitted(record);
      requireSameChannels(record.channels, intake.channelNames);
      const trials = intake.trials!;
      const { data } = await deps.threads
        .run<{ data: string }>(
          'predict',
          {
            modelRef: record.modelRef,
            trials,
            align,
            strideSeconds,
            missingChannels,
            recordings: intake.recordings,
          },
          { transfer: [trials.data.buffer as ArrayBuffer] },
        )
        .catch((error: unknown) => {
          throw modelFault(error);
        });
      const rest = JSON.stringify({
        task_model: record.id,
        method: record.method,
        align,
        signal: intake.signal,
        cost: { usd: formatUsd(windowsCost(caller.mode, windows)), windows },
      });
      const answer: Answer = { status: 200, body: `{"object":"list","data":${data},${rest.slice(1)}` };
      await transaction(deps.pool, async (sql) => {
        if (hostingIsDue(record, caller.at)) await payDueHosting(sql, modelId, caller.at);
        await chargeWindows(sql, {
          caller,
          usage: request.usage,
          requestId: request.id,
          endpoint,
          modelId,
          windows,
          status: 200,
        });
        await ticket.finish(sql, answer);
      });
      request.usage.recorded = true;
      return answer;
    });
  });
}
