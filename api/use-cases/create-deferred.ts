import { randomUUID } from 'node:crypto';
import { objectNames } from '../../infra/contract/object-names.ts';
import { recordUsage } from '../../infra/records/admission/index.ts';
import { charge } from '../../infra/records/ledger/index.ts';
import { addBatch, findModel, insertCollecting } from '../../infra/records/task-models/index.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/index.ts';
import { formatUsd, prices, type MicroUsd } from '../../infra/contract/prices.ts';
import { taskModelResource } from '../contract/task-model-resource.ts';
import type { ApiDeps } from '../deps.ts';
import { answerOf, type Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { Caller, UsageNote } from '../http/request.ts';
import { batchNotes } from './batch-notes.ts';
import { newModel, newModelId, type CreateInput } from './create-input.ts';

export interface WindowsUse {
  readonly caller: Caller;
  readonly usage: UsageNote;
  readonly requestId: string;
  readonly endpoint: string;
  readonly modelId: string;
  readonly windows: number;
  readonly status: number;
}

/** What windows cost: 0.003 USD each with a live key, nothing with a test key. */
export const windowsCost = (mode: Caller['mode'], windows: number): MicroUsd =>
  mode === 'live' ? prices.window * BigInt(windows) : 0n;

/** Charges windows and records the usage, in the transaction that stores the answer. */
export async function chargeWindows(
  sql: Sql,
  { caller, requestId, endpoint, modelId, windows, status }: WindowsUse,
): Promise<void> {
  const { accountId, keyId, mode, at } = caller;
  await charge(sql, {
    accountId,
    mode,
    modelId,
    kind: 'task_models.predict',
    windows,
    at,
  });
  await recordUsage(sql, {
    accountId,
    keyId,
    mode,
    endpoint,
    status,
    code: 'ok',
    windows,
    microUsd: windowsCost(mode, windows),
    requestId,
    at,
  });
}

/** Runs `write` in one transaction after the object exists, and removes the object if it fails. */
export async function withObject<T>(deps: ApiDeps, name: string, write: (sql: Sql) => Promise<T>): Promise<T> {
  try {
    return await transaction(deps.pool, write);
  } catch (error) {
    await deps.objects
      .delete(name)
      .catch((cause: unknown) => deps.log(`Object ${name} was not removed; the reconciler will.`, cause));
    throw error;
  }
}

/** `defer_fit`: stores the features of the first batch, never the signal, and charges its windows (spec, rule 4). */
export async function createCollecting(deps: ApiDeps, input: CreateInput, ticket: Ticket): Promise<Answer> {
  const { caller, create, plan, trials, trialsPerClass, signal, sessions, recordings, windows, usage, requestId } =
    input;
  const modelId = newModelId();
  const name = objectNames.batch(modelId, randomUUID());
  const stored = await deps.threads.run<{ warnings: readonly string[] }>(
    'storeBatch',
    {
      name,
      trials,
      labels: create.labels,
      sessions,
      recordings,
      featureSets: plan.featureSets,
      channels: trials.channelNames,
    },
    { transfer: [trials.data.buffer as ArrayBuffer] },
  );
  const report = { ...signal, warnings: [...signal.warnings, ...stored.warnings] };
  const answer = await withObject(deps, name, async (sql) => {
    await chargeWindows(sql, {
      caller,
      usage,
      requestId,
      endpoint: 'task_models.create',
      modelId,
      windows,
      status: 201,
    });
    await insertCollecting(sql, { ...newModel(input, modelId), signal: report });
    await addBatch(sql, {
      modelId,
      featuresRef: name,
      trials: trials.trials,
      windows,
      classCounts: trialsPerClass,
      signal: { ...report, fit: batchNotes(input) },
      at: caller.at,
    });
    const record = await findModel(sql, caller.accountId, modelId);
    const rendered = answerOf(
      201,
      taskModelResource(record!, caller.at, { usd: formatUsd(windowsCost(caller.mode, windows)), windows }),
    );
    await ticket.finish(sql, rendered);
    return rendered;
  });
  usage.recorded = true;
  void deps.jobs.startCollecting({ modelId });
  return answer;
}
