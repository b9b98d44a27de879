import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { objectNames } from '../../infra/contract/object-names.ts';
import { rehearsal } from '../../infra/drivers/postgres/index.ts';
import { enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { assertAffordable, createCost } from '../../infra/records/ledger/index.ts';
import type { ApiDeps } from '../deps.ts';
import { collect, usualPace } from '../http/collect.ts';
import type { Asked } from '../http/request.ts';
import { simulatedCreate } from '../threads/warm-up.ts';
import { bounded } from './bounded-request.ts';
import { newModelId, planCreate } from './create-input.ts';
import { stageTrials } from './stage-trials.ts';

/** Of the body, which is as large as those of creates often are: a process keeps memory that it has had. */
const [trials, samples] = [200, 1000];
const pieceBytes = 64 * 1024;

/**
 * What the process does for an immediate create, of simulated trials and for nobody: nothing of it stays, in Postgres,
 * in the object store or in Temporal. The next create finds compiled code and open connections.
 * `deps.jobs` start fits that Temporal refuses. Throws what a create would.
 */
export async function rehearseCreate(deps: ApiDeps): Promise<void> {
  const asked = askedByNobody();
  const { accountId, mode, at } = asked.caller;
  const sent = simulatedCreate(trials, samples);
  const pieces = Array.from({ length: Math.ceil(sent.length / pieceBytes) }, (_, piece) =>
    sent.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
  );
  const body = await collect(Readable.from(pieces, { objectMode: false }), {
    expected: sent.length,
    limit: sent.length,
    pace: usualPace,
    room: () => undefined,
  });
  const intake = await deps.threads.intake(accountId, { body, what: 'create', hashed: true });
  if (!intake.ok) throw new Error(intake.error.message);
  await assertAffordable(deps.pool, { accountId, mode, amount: createCost, at }).catch(() => undefined);
  const staged = objectNames.probe(randomUUID(), at);
  const both = [planCreate(deps, asked, intake), stageTrials(deps, accountId, intake, staged)] as const;
  await Promise.allSettled(both);
  await deps.objects.delete(staged);
  const [{ plan }] = await Promise.all(both);
  const job = bounded({
    modelId: newModelId(),
    jobId: randomUUID(),
    accountId,
    mode,
    taskKind: plan.kind,
    source: { staged },
    candidates: plan.candidates,
    skipped: plan.skipped,
    featureSets: plan.featureSets,
    warnings: [],
    idempotencyKey: null,
    holdId: null,
    requestId: asked.requestId,
  });
  await rehearsal(deps.pool, (sql) => enqueueFit(sql, job, at));
  await deps.jobs.runFit(job).catch(() => undefined);
}

function askedByNobody(): Asked {
  const [accountId, keyId, leaseId] = [randomUUID(), randomUUID(), randomUUID()];
  return {
    caller: {
      accountId,
      keyId,
      mode: 'live',
      at: new Date(),
      dailyEstimates: 0,
      leaseId,
      model: null,
      funds: { available: 0n, capped: false },
      begunKey: null,
    },
    usage: { endpoint: '', windows: 0, microUsd: 0n, code: null, recorded: false, leaseEnded: false },
    requestId: 'warm-up',
    releaseBody: () => undefined,
    holdAnswer: () => undefined,
  };
}
