import type { Pool } from 'pg';
import type { ApiDeps } from '../../api/deps.ts';
import { formatUsd } from '../../infra/contract/prices.ts';
import { taskModelResource } from '../../api/contract/task-model-resource.ts';
import { finishIdempotency } from '../../infra/records/admission/index.ts';
import { decode, encode } from '../../infra/drivers/codec.ts';
import { capture, createCost } from '../../infra/records/ledger/index.ts';
import { activate, batchesOf } from '../../infra/records/task-models/index.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import type { FitAnswer, FitRequest, StagedTrials, StoredBatch } from '../../infra/contract/fit-request.ts';
import { extractFeatures, mergeFeatures } from '../../ml/features/index.ts';
import {
  buildReport,
  chooseCandidate,
  createWorkspace,
  fitWinner,
  planFolds,
  scoreCandidate,
  trainingData,
  weigh,
} from '../../ml/train/index.ts';

type Jobs = ApiDeps['jobs'];

async function dataOf(request: FitRequest, { pool, objects }: { pool: Pool; objects: ObjectStore }) {
  if ('staged' in request.source) {
    const staged = decode<StagedTrials>(await objects.get(request.source.staged));
    await objects.delete(request.source.staged);
    return trainingData(extractFeatures(staged.trials, request.featureSets), staged.labels, staged.sessions);
  }
  const refs = await batchesOf(pool, request.modelId);
  const batches = await Promise.all(
    refs.map(async ({ featuresRef }) => decode<StoredBatch>(await objects.get(featuresRef))),
  );
  return trainingData(
    mergeFeatures(batches.map(({ features }) => features)),
    batches.flatMap(({ labels }) => [...labels]),
    null,
  );
}

/** The fit of a worker, in this process: the first candidates only, and the same one transaction at its end. */
export function fitInProcess(parts: {
  pool: Pool;
  objects: ObjectStore;
  candidates?: number;
  beforeEnd?: () => Promise<void>;
}): Jobs {
  const { pool, objects } = parts;
  return {
    async runFit(request): Promise<FitAnswer> {
      const data = await dataOf(request, parts);
      const plan = planFolds(data);
      const workspace = createWorkspace();
      const scores = request.candidates
        .slice(0, parts.candidates ?? 1)
        .map(({ id }) => scoreCandidate(id, data, plan, workspace));
      const choice = chooseCandidate(scores, data, plan);
      const model = fitWinner(choice, data, workspace);
      const report = buildReport({
        scores,
        skipped: request.skipped,
        choice,
        weighed: weigh(scores, choice, data, plan),
        data,
        plan,
        warnings: request.warnings,
      });
      await objects.put(`models/${request.modelId}`, encode(model));
      await parts.beforeEnd?.();
      const at = new Date();
      return transaction(pool, async (sql) => {
        const record = await activate(sql, {
          id: request.modelId,
          fittedAt: at,
          method: model.method,
          classes: model.classes,
          trainingReport: report,
          modelRef: `models/${request.modelId}`,
        });
        await capture(sql, request.holdId, {
          modelId: request.modelId,
          accountId: request.accountId,
          mode: request.mode,
          at,
          fittedAt: at,
        });
        const cost = { usd: formatUsd(request.mode === 'live' ? createCost : 0n), windows: 0 };
        const answer = {
          status: 'staged' in request.source ? 201 : 200,
          body: JSON.stringify(taskModelResource(record!, at, cost)),
        };
        if (request.idempotencyKey)
          await finishIdempotency(sql, { accountId: request.accountId, key: request.idempotencyKey, ...answer });
        return answer;
      });
    },
    startCollecting: async () => undefined,
    refresh: async () => undefined,
  };
}
