import { randomUUID } from 'node:crypto';
import { addBatch as insertBatch, batchTotals } from '../../infra/records/task-models/batches.ts';
import { findModel, readStored } from '../../infra/records/task-models/models.ts';
import { requireRoom } from '../../infra/records/quotas/require-room.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import { countLabels, sumCounts } from '../../infra/contract/class-counts.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { modelNotFound } from '../../infra/contract/model-not-found.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { BatchRequest } from '../contract/requests.ts';
import { taskModelResource } from '../../infra/contract/task-model-resource.ts';
import type { ApiDeps } from '../deps.ts';
import { answerOf, type Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { RequestContext } from '../http/request.ts';
import { newSpellings } from '../intake/labels.ts';
import type { IntakeAccepted } from '../intake/intake.ts';
import { batchNotes } from './batch-notes.ts';
import { chargeWindows, requireWindowFunds, windowsCost } from './charge.ts';
import { lookUp, requireCollecting, requireLiving, requireNoFit } from './find-model.ts';
import { requireModelRoom } from './require-model-room.ts';
import { requireSameChannels } from './require-same-channels.ts';
import { withObjects } from './with-objects.ts';

/** Adds the features of a further batch to a collecting model, never the signal, and charges its windows. */
export async function addBatch(
  deps: ApiDeps,
  context: RequestContext,
  record: TaskModelRecord,
  intake: IntakeAccepted,
  ticket: Ticket,
): Promise<Answer> {
  const { caller, usage } = context;
  const { sessions, contexts: recordings, windows, channelNames } = intake;
  const { id: modelId, channels, readsEncoders } = record;
  const batch = intake.envelope as Omit<BatchRequest, 'x'>;
  const { labels } = batch;
  requireCollecting(record);
  requireNoFit(record);
  requireSameChannels(channels, channelNames);
  await deps.threads.refuse(caller.accountId, { description: record.description, labels: [...new Set(labels)] });
  await requireWindowFunds(deps.pool, caller, windows);
  const { accountId, at } = caller;
  await requireRoom(deps.pool, { accountId, at, adds: { batchBytes: 1n } });
  const trials = intake.trials!;
  const { trials: count } = trials;
  const earlier = await batchTotals(deps.pool, modelId);
  const { first } = earlier;
  if (!first) throw modelNotFound(modelId, 'deleted');
  requireModelRoom(earlier, labels);
  const name = objectNames.batch(modelId, randomUUID());
  const stored = await deps.threads.storeBatch(caller.accountId, {
    name,
    trials,
    labels,
    sessions,
    recordings,
    like: first.featuresRef,
    readsEncoders,
    channels,
  });
  const spellings = newSpellings(Object.keys(earlier.trialsPerClass), labels);
  const signal = { ...intake.signal!, warnings: [...intake.signal!.warnings, ...stored.notes, ...spellings] };
  const write = async (sql: Sql): Promise<Answer> => {
    const now = await readStored(sql, modelId, true);
    if (now?.status !== 'collecting')
      requireCollecting(requireLiving(await lookUp(sql, caller, modelId), modelId, caller.at));
    if (now) requireNoFit(now);
    const before = await batchTotals(sql, modelId);
    requireModelRoom(before, labels);
    const trialsPerClass = sumCounts([...Object.entries(before.trialsPerClass), ...countLabels(labels)]);
    await chargeWindows(sql, context, { modelId, windows, status: 200 });
    await insertBatch(sql, {
      modelId,
      featuresRef: name,
      trials: count,
      windows,
      classCounts: Object.fromEntries(countLabels(labels)),
      signal: { ...signal, fit: batchNotes({ create: batch, sessions, recordings }) },
      pins: stored.pins,
      bytes: stored.bytes,
      at: caller.at,
    });
    await requireRoom(sql, { accountId, at, adds: { batchBytes: BigInt(stored.bytes) }, written: true });
    const model = await findModel(sql, caller.accountId, modelId);
    const rendered = answerOf(200, {
      ...taskModelResource({ ...model!, signal }, caller.at, windowsCost(caller, windows)),
      trials_per_class: Object.fromEntries(trialsPerClass),
      batches: before.batches + 1,
    });
    await ticket.finish(sql, rendered, modelId);
    return rendered;
  };
  const answer = await withObjects(deps, name, () => transaction(deps.pool, write));
  usage.recorded = true;
  return answer;
}
