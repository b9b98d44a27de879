import { reserve } from '../../infra/records/ledger/index.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/index.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { enqueueFit, requestOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import type { ApiDeps } from '../deps.ts';
import { requireHeard, type Ticket } from '../http/idempotency.ts';
import type { Asked } from '../http/request.ts';
import { bounded } from './bounded-request.ts';

/** What a fit is asked, but for what the request that asks for it and its hold add. */
export type JobDraft = Omit<FitRequest, 'accountId' | 'mode' | 'idempotencyKey' | 'holdId' | 'requestId'>;

/**
 * Holds the credit and writes the job down, with what `prepare` writes, in one transaction: all of it is there, or
 * nothing. From then on the job ends by itself: with a key it runs on whatever becomes of this process, without one it
 * is cancelled when the request's lease has gone.
 */
export async function beginJob(
  { pool }: Pick<ApiDeps, 'pool'>,
  { caller: { accountId, mode, at, leaseId }, requestId }: Asked,
  draft: JobDraft,
  ticket: Ticket,
  prepare: (sql: Sql) => Promise<unknown>,
): Promise<FitRequest> {
  const { modelId, jobId } = draft;
  return transaction(pool, async (sql) => {
    requireHeard(ticket);
    await prepare(sql);
    const holdId = await reserve(sql, { accountId, mode, modelId, at });
    const job = bounded({ ...draft, accountId, mode, idempotencyKey: ticket.key, holdId, requestId });
    await ticket.setJob(sql, { modelId, jobId, holdId });
    await enqueueFit(sql, job, at, ticket.key === null ? leaseId : null);
    return job;
  });
}

/** The job that an earlier request with the same key began, to be joined; null: there is none. */
export const joinedJob = async ({ pool }: Pick<ApiDeps, 'pool'>, { job }: Ticket): Promise<FitRequest | null> =>
  job && requestOf(pool, job.jobId);
