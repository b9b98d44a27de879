import { randomUUID } from 'node:crypto';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { FastifyInstance } from 'fastify';
import { addBatch, batchesOf, classCountsOf, findModel, readStored } from '../../infra/records/task-models/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { formatUsd } from '../../infra/contract/prices.ts';
import type { BatchRequest } from '../contract/requests.ts';
import { taskModelResource } from '../contract/task-model-resource.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import { requireSameChannels } from '../use-cases/same-channels.ts';
import { lookUp, pathId, requireLiving } from '../use-cases/find-model.ts';
import { countLabels, refuseUnsupported } from '../use-cases/plan.ts';
import { answerOf, sendAnswer } from '../http/answer.ts';
import { readBody } from '../http/read-body.ts';
import { callerOf } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { batchNotes } from '../use-cases/batch-notes.ts';
import { chargeWindows, windowsCost, withObject } from '../use-cases/create-deferred.ts';

/** Trials are added, and fits are made, while a model collects; the refusal names the state. */
export function requireCollecting(record: Pick<TaskModelRecord, 'id' | 'status'>): void {
  if (record.status === 'collecting') return;
  throw invalidField(
    'model_id',
    `The task model ${record.id} is ${record.status}: it is fitted already. Create another one with \`defer_fit\` to collect trials.`,
  );
}

/** The living model, or the error that stands whatever the body says. */
async function find(
  deps: ApiDeps,
  caller: ReturnType<typeof callerOf>,
  id: string,
): Promise<TaskModelRecord | ApiError> {
  const record = await lookUp(deps.pool, caller, id);
  try {
    return requireLiving(record, id, caller.at);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
export { find as findOrRefuse };

export function trialsRoute(app: FastifyInstance, deps: ApiDeps): void {
  const endpoint = 'task_models.trials';
  const config = { endpoint, scopes: ['predictions'], bodyBytes: limits.bodyBytes };
  app.post('/v1/task-models/:model_id/trials', { config }, async (request, reply) => {
    const caller = callerOf(request);
    const modelId = pathId(request);
    const found = await find(deps, caller, modelId);
    const read = await readBody(deps, request, 'batch', found instanceof ApiError ? found : null);
    if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
    const record = found as TaskModelRecord;
    const { intake } = read;
    const batch = intake.envelope as Omit<BatchRequest, 'x'>;
    return runOnce(deps, request, reply, intake.hash, async (ticket) => {
      requireCollecting(record);
      requireSameChannels(record.channels, intake.channelNames);
      await refuseUnsupported(deps, record.description, [...new Set(batch.labels)]);
      const trials = intake.trials!;
      const notes = batchNotes({ create: batch, sessions: intake.sessions, recordings: intake.contexts });
      const windows = intake.windows;
      const [first] = await batchesOf(deps.pool, modelId);
      const name = objectNames.batch(modelId, randomUUID());
      const stored = await deps.threads.run<{ warnings: readonly string[] }>(
        'storeBatch',
        {
          name,
          trials,
          labels: batch.labels,
          sessions: intake.sessions,
          recordings: intake.contexts,
          like: first.featuresRef,
          channels: record.channels,
        },
        { transfer: [trials.data.buffer as ArrayBuffer] },
      );
      const signal = { ...intake.signal!, warnings: [...intake.signal!.warnings, ...stored.warnings] };
      const answer = await withObject(deps, name, async (sql) => {
        const now = await readStored(sql, modelId, true);
        if (!now || now.status !== 'collecting')
          requireCollecting(requireLiving(await lookUp(sql, caller, modelId), modelId, caller.at));
        await chargeWindows(sql, {
          caller,
          usage: request.usage,
          requestId: request.id,
          endpoint,
          modelId,
          windows,
          status: 200,
        });
        await addBatch(sql, {
          modelId,
          featuresRef: name,
          trials: trials.trials,
          windows,
          classCounts: countLabels(batch.labels),
          signal: { ...signal, fit: notes },
          at: caller.at,
        });
        const batches = await batchesOf(sql, modelId);
        const model = await findModel(sql, caller.accountId, modelId);
        const rendered = answerOf(200, {
          ...taskModelResource({ ...model!, signal }, caller.at, {
            usd: formatUsd(windowsCost(caller.mode, windows)),
            windows,
          }),
          trials_per_class: classCountsOf(batches),
          batches: batches.length,
        });
        await ticket.finish(sql, rendered);
        return rendered;
      });
      request.usage.recorded = true;
      return answer;
    });
  });
}
