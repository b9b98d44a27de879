import { randomUUID } from 'node:crypto';
import type { IdempotentJob } from '../../infra/records/admission/index.ts';
import { reserve } from '../../infra/records/ledger/index.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/index.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { Asked } from '../http/request.ts';
import type { Plan } from '../threads/plan.ts';

/** Holds the credit and writes the job down under the request's key, with what `prepare` writes: all, or nothing. */
export const beginJob = (
  { pool }: Pick<ApiDeps, 'pool'>,
  { caller: { accountId, mode, at } }: Asked,
  modelId: string,
  ticket: Ticket,
  prepare: (sql: Sql) => Promise<unknown>,
): Promise<IdempotentJob> =>
  transaction(pool, async (sql) => {
    await prepare(sql);
    const holdId = await reserve(sql, { accountId, mode, modelId, at });
    const job = { modelId, jobId: randomUUID(), holdId };
    await ticket.setJob(sql, job);
    return job;
  });

/** Runs the job, or joins it where it runs already, and awaits its answer. */
export async function runJob(
  { jobs }: Pick<ApiDeps, 'jobs'>,
  { caller, usage, requestId }: Asked,
  { jobId, modelId, holdId }: IdempotentJob,
  ticket: Ticket,
  { candidates, skipped, featureSets }: Plan,
  rest: Pick<FitRequest, 'taskKind' | 'source' | 'warnings'>,
): Promise<Answer> {
  const { microUsd, ...answer } = await jobs.runFit({
    jobId,
    modelId,
    accountId: caller.accountId,
    mode: caller.mode,
    candidates,
    skipped,
    featureSets,
    idempotencyKey: ticket.key,
    holdId,
    requestId,
    ...rest,
  });
  usage.microUsd = microUsd;
  return answer;
}
