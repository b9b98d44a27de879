import { reserve } from '../../infra/records/ledger/index.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/index.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import type { ApiDeps } from '../deps.ts';
import { requireHeard, type Ticket } from '../http/idempotency.ts';
import type { Asked } from '../http/request.ts';
import { bounded } from './bounded-request.ts';

/** A fit request without the HTTP and credit-hold fields. */
export type JobDraft = Omit<FitRequest, 'accountId' | 'mode' | 'idempotencyKey' | 'holdId' | 'requestId'>;

/**
 * Holds the credit and writes the job, with the rows that `prepare` writes, in one transaction. From then on the job ends
 * by itself. With a key it goes on if this process dies; without one it is cancelled when the request's lease expires.
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
