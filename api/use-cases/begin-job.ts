import { lockWallet } from '../../infra/records/ledger/wallet.ts';
import { reserve } from '../../infra/records/ledger/holds.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { enqueueFit } from '../../infra/records/fit-jobs/fit-jobs.ts';
import type { ApiDeps } from '../deps.ts';
import { requireRoom, type Wants } from '../../infra/records/quotas/require-room.ts';
import { takeTestCreate } from '../../infra/records/quotas/test-creates.ts';
import { requireAwaited, type Ticket } from '../http/idempotency.ts';
import type { KeyMode } from '../../infra/contract/task-model.ts';
import type { RequestContext, Caller } from '../http/request.ts';
import { bounded } from './bounded-request.ts';

/** A fit request without the HTTP and credit-hold fields. */
export type JobDraft = Omit<FitRequest, 'accountId' | 'mode' | 'idempotencyKey' | 'holdId' | 'requestId'>;

/** What a fit adds to the quotas, except the allowance of test keys. */
const fitAdds = (mode: KeyMode): Wants['adds'] => ({
  runningFits: 1n,
  ...(mode === 'test' ? { testModels: 1n } : { liveModels: 1n }),
});

/** Throws the quota error that `beginJob` would throw now, before anything is computed. */
export const requireRoomForFit = (sql: Sql, { accountId, mode, at }: Pick<Caller, 'accountId' | 'mode' | 'at'>) =>
  requireRoom(sql, {
    accountId,
    at,
    adds: { ...(mode === 'test' ? { dailyTestCreates: 1n } : {}), ...fitAdds(mode) },
  });

/**
 * Reserves the credit and records the job, with the rows that `prepare` writes, in one transaction and within the
 * quotas. From then on the job always ends. With a key it continues if this process dies; without one it is cancelled
 * when the request's lease expires. `ignoredClasses`: as in `enqueueFit`.
 */
export async function beginJob(
  { pool }: Pick<ApiDeps, 'pool'>,
  { caller: { accountId, mode, at, leaseId }, requestId }: RequestContext,
  draft: JobDraft,
  ticket: Ticket,
  prepare: (sql: Sql) => Promise<unknown>,
  ignoredClasses: readonly string[] = [],
): Promise<FitRequest> {
  const { modelId, jobId } = draft;
  return transaction(pool, async (sql) => {
    requireAwaited(ticket);
    await prepare(sql);
    if (mode === 'test') {
      await lockWallet(sql, accountId);
      await takeTestCreate(sql, { accountId, at });
    }
    const holdId = await reserve(sql, { accountId, mode, modelId, at });
    const job = bounded({ ...draft, accountId, mode, idempotencyKey: ticket.key, holdId, requestId });
    await ticket.setJob(sql, { modelId, jobId, holdId });
    await enqueueFit(sql, job, at, ticket.key === null ? leaseId : null, ignoredClasses);
    await requireRoom(sql, { accountId, at, adds: fitAdds(mode), written: true });
    return job;
  });
}
