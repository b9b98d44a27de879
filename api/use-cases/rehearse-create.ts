import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type pg from 'pg';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { settleAll } from '../../infra/drivers/settle-all.ts';
import { createKey, parseKey } from '../../infra/records/accounts/index.ts';
import { createAdmissionQueue, finishRequest } from '../../infra/records/admission/index.ts';
import { forNobody } from '../../infra/records/for-nobody.ts';
import { assertAffordable, createCost } from '../../infra/records/ledger/index.ts';
import { insertFitting } from '../../infra/records/task-models/index.ts';
import { permissions } from '../contract/operation.ts';
import type { ApiDeps } from '../deps.ts';
import { collect, usualPace } from '../http/collect.ts';
import { withoutKey } from '../http/idempotency.ts';
import type { Asked } from '../http/request.ts';
import type { IntakeAccepted } from '../threads/intake.ts';
import { simulatedCreate } from '../threads/warm-up.ts';
import { beginJob } from './begin-job.ts';
import { newModel, newModelId, planCreate, type CreateInput } from './create-input.ts';
import { stageTrials } from './stage-trials.ts';

/** Of the body, which is as large as those of creates often are: a process keeps memory that it has had. */
const [trials, samples] = [200, 1000];
const pieceBytes = 64 * 1024;

const endpoint = 'task_models.create';
const requestId = 'warm-up';
const leaseSeconds = 60;

/**
 * What the process does for an immediate create, of simulated trials and for nobody: nothing of it stays, in Postgres,
 * in the object store or in Temporal. The next create finds compiled code, and connections that are open and have its
 * plans. `deps.jobs` start fits that Temporal refuses. Throws what a create would.
 */
export async function rehearseCreate(deps: ApiDeps): Promise<void> {
  const at = new Date();
  const accountId = randomUUID();
  const intake = await deps.threads.intake(accountId, { body: await received(), what: 'create', hashed: true });
  if (!intake.ok) throw new Error(intake.error.message);
  const staged = objectNames.probe(randomUUID(), at);
  const asked = askedBy({ accountId, keyId: randomUUID(), at });
  const input = await planned(deps, asked, intake, staged);
  let job: FitRequest | null = null;
  await forNobody(deps.pool, async (pool, nobody) => {
    job = await begun(pool, input, nobody, staged);
  });
  if (job) await deps.jobs.runFit(job).catch(() => undefined);
}

/** The plan of a create whose trials were staged, and are removed. */
async function planned(deps: ApiDeps, asked: Asked, intake: IntakeAccepted, staged: string): Promise<CreateInput> {
  try {
    const staging = stageTrials(deps, asked.caller.accountId, intake, staged);
    const [input] = await settleAll([planCreate(deps, asked, intake), staging]);
    return input;
  } finally {
    await deps.objects.delete(staged);
  }
}

/** The body, in pieces as a connection brings it. */
function received(): Promise<Uint8Array<ArrayBuffer>> {
  const sent = simulatedCreate(trials, samples);
  const pieces = Array.from({ length: Math.ceil(sent.length / pieceBytes) }, (_, piece) =>
    sent.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
  );
  return collect(Readable.from(pieces, { objectMode: false }), {
    expected: sent.length,
    limit: sent.length,
    pace: usualPace,
    room: () => undefined,
  });
}

/** All that a create asks of Postgres before its fit and with its answer. */
async function begun(pool: pg.Pool, input: CreateInput, accountId: string, staged: string): Promise<FitRequest> {
  const { at } = input.asked.caller;
  const { keyId, hash: secretHash } = parseKey((await createKey(pool, { accountId, mode: 'live', at })).key)!;
  const asked = askedBy({ accountId, keyId, at });
  const { caller } = asked;
  const { leaseId, mode } = caller;
  const wanted = { endpoint, requestId, leaseId, leaseSeconds, whileSuspended: false, ip: '127.0.0.1' };
  const scopes = permissions.use;
  await createAdmissionQueue(pool).admit(keyId, { ...wanted, scopes, keyId, secretHash }, (work) => work());
  await assertAffordable(pool, { accountId, mode, amount: createCost, at });
  const { candidates, featureSets, kind: taskKind, skipped } = input.plan;
  const draft = { modelId: newModelId(), jobId: randomUUID(), taskKind, source: { staged }, candidates, featureSets };
  const job = await beginJob(
    { pool },
    asked,
    { ...draft, skipped, warnings: [] },
    withoutKey(new AbortController().signal),
    (sql) => insertFitting(sql, newModel({ ...input, asked }, draft.modelId)),
  );
  const event = { ...caller, endpoint, status: 201, code: 'ok', windows: 0, microUsd: createCost, requestId };
  await finishRequest(pool, event, { leaseId, key: null, lockId: leaseId });
  return job;
}

const askedBy = (caller: Pick<Asked['caller'], 'accountId' | 'keyId' | 'at'>): Asked => ({
  caller: {
    mode: 'live',
    dailyEstimates: 0,
    leaseId: randomUUID(),
    model: null,
    funds: { available: 0n, capped: false },
    begunKey: null,
    ...caller,
  },
  usage: { endpoint, windows: 0, microUsd: 0n, code: null, recorded: false, leaseEnded: false },
  requestId,
  releaseBody: () => undefined,
  holdAnswer: () => undefined,
});
