import { randomUUID } from 'node:crypto';
import { addBatch } from '../../infra/records/task-models/batches.ts';
import { findModel, insertCollecting } from '../../infra/records/task-models/models.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import { requireRoom } from '../../infra/records/quotas/require-room.ts';
import { newModelId, newModel } from './new-model.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { taskModelResource } from '../../infra/contract/task-model-resource.ts';
import type { ApiDeps } from '../deps.ts';
import { answerOf, type Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import { batchNotes } from './batch-notes.ts';
import { chargeWindows, requireWindowFunds, windowsCost } from './charge.ts';
import type { CreateInput } from './create-input.ts';
import { withObjects } from './with-objects.ts';

/** `defer_fit`: stores the features of the first batch, never the signal, and charges its windows (spec, rule 4). */
export async function createDeferred(deps: ApiDeps, input: CreateInput, ticket: Ticket): Promise<Answer> {
  const { context, create, plan, trials, trialsPerClass, sessions, recordings, windows } = input;
  const { caller } = context;
  const modelId = newModelId();
  const name = objectNames.batch(modelId, randomUUID());
  const { trials: count, channelNames: channels } = trials;
  const {
    labels,
    parameters: { priors },
  } = create;
  await requireWindowFunds(deps.pool, caller, windows);
  const { accountId, at } = caller;
  await requireRoom(deps.pool, { accountId, at, adds: { collectingModels: 1n, batchBytes: 1n } });
  const stored = await deps.threads.storeBatch(caller.accountId, {
    name,
    trials,
    labels,
    sessions,
    recordings,
    featureSets: plan.featureSets,
    channels,
    ...(priors && { priors }),
  });
  const { featureSets, pins, notes, bytes } = stored;
  const signal = { ...input.signal, warnings: [...input.signal.warnings, ...notes] };
  const write = async (sql: Sql): Promise<Answer> => {
    await chargeWindows(sql, context, { modelId, windows, status: 201 });
    await insertCollecting(sql, newModel({ ...input, signal }, modelId));
    await addBatch(sql, {
      modelId,
      featuresRef: name,
      trials: count,
      windows,
      classCounts: trialsPerClass,
      signal: { ...signal, fit: batchNotes({ ...input, featureSets }) },
      pins,
      bytes,
      at: caller.at,
    });
    const adds = { collectingModels: 1n, batchBytes: BigInt(bytes) };
    await requireRoom(sql, { accountId, at, adds, written: true });
    const record = await findModel(sql, caller.accountId, modelId);
    const rendered = answerOf(201, taskModelResource(record!, caller.at, windowsCost(caller, windows)));
    await ticket.finish(sql, rendered, modelId);
    return rendered;
  };
  const answer = await withObjects(deps, name, () => transaction(deps.pool, write));
  context.usage.recorded = true;
  void deps.jobs.startCollecting({ modelId });
  return answer;
}
