import { dayMs, limits, minuteMs as minute } from '../../infra/contract/limits.ts';
import { reapAccounts } from '../../infra/records/accounts/reap-accounts.ts';
import { reapClosedAccounts } from '../../infra/records/accounts/close.ts';
import { reapAdmission } from '../../infra/records/admission/reap-admission.ts';
import { keepLedgerMonths } from '../../infra/records/ledger/months.ts';
import { reapHolds } from '../../infra/records/ledger/reap-holds.ts';
import { reapRequestLog, reapUsageDays } from '../../infra/records/admission/request-log.ts';
import { wakeTaskModel } from '../../infra/drivers/temporal/task-model-workflow.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { cancelUnawaited } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { reapAttempts } from '../../infra/records/deaths/job-attempts.ts';
import { modelsWithPendingFit, reapFitRequests, undoStuckStarts } from '../../infra/records/fit-jobs/stuck.ts';
import { endedAnswers, forgetEndedAnswers } from '../../infra/records/quotas/stored-answers.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../activities.ts';
import { counted } from './counted.ts';
import { abandonOverdueFits } from './overdue-fits.ts';
import { objectPrefixes, ownerOf } from '../../infra/contract/object-names.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';

const stagedMs = limits.stagedMinutes * minute;
/** The sweep runs every five minutes, so an object that may be removed after ten minutes is gone after fifteen. */
const orphanMs = stagedMs - 5 * minute;

/** Removes expired rows and objects, and wakes stuck workflows. Each step is idempotent and safe while jobs run. */
export function createSweep(tools: Tools): Activities['sweep'] {
  const { pool, objects, client, taskQueue } = tools;
  return async ({ at }) => {
    const before = (ms: number): Date => new Date(at - ms);
    const { leases, idempotencyKeys } = await reapAdmission(pool, new Date(at));
    const { sessions, links } = await reapAccounts(pool, new Date(at));
    const logged = await reapRequestLog(pool, new Date(at));
    const counts = await reapUsageDays(pool, new Date(at));
    const holds = await reapHolds(pool, new Date(at));
    const closed = await reapClosedAccounts(pool, new Date(at));
    const unawaited = await cancelUnawaited(pool, new Date(at));
    const waiting = await modelsWithPendingFit(pool, before(minute));
    const overdue = await abandonOverdueFits(tools, new Date(at));
    for (const id of waiting) await wakeTaskModel(client, id, taskQueue);
    const undone = await transaction(pool, (sql) => undoStuckStarts(sql, before(stagedMs), new Date(at)));
    const ended = await endedAnswers(pool);
    await objects.deleteAll(ended);
    await forgetEndedAnswers(pool, ended);
    const staged = await oldStaged(objects, before(orphanMs));
    await objects.deleteAll(staged);
    const answers = await reapFitRequests(pool, { keyed: before(limits.jobDays * dayMs), unkeyed: before(dayMs) });
    await reapAttempts(pool, before(dayMs));
    const drafts = await objects.removeDrafts(before(orphanMs));
    // Last, so that its failure stops no other step.
    await keepLedgerMonths(pool);
    return {
      healed: counted([
        [leases, 'expired leases removed'],
        [idempotencyKeys, 'idempotency keys removed'],
        [sessions, 'ended sessions removed'],
        [links, 'expired links removed'],
        [logged.partitions, 'days removed from the log of requests'],
        [logged.rows, 'requests removed from the log'],
        [counts, 'counts of old days removed'],
        [holds, 'old holds removed'],
        [closed, 'rows of closed accounts removed'],
        [waiting.length, 'models with a fit that has not ended woken'],
        [unawaited, 'fits cancelled whose request had ended'],
        [overdue, 'fits that did not end were given up'],
        [undone.length, 'starts that never became a job undone'],
        [staged.length, 'staged signals removed'],
        [ended.length, 'objects of stored answers removed'],
        [answers, 'old answers removed'],
        [drafts, 'unfinished writes removed'],
      ]),
      problems: [],
    };
  };
}

/**
 * Names of staged signals that were written before `before`. All signals of earlier hours count, even if a new seal has
 * changed their time. Names begin with their hour, so later hours are not read. Foreign objects in the bucket are left.
 */
export async function oldStaged(objects: Pick<ObjectStore, 'walk'>, before: Date): Promise<string[]> {
  const { staged, stagedIn, stagedAfter } = objectPrefixes;
  const [lastHour, end] = [stagedIn(before), stagedAfter(before)];
  const names: string[] = [];
  for await (const { name, modifiedAt } of objects.walk(staged)) {
    if (name >= end) break;
    if (ownerOf(name)?.kind === 'staged' && (name < lastHour || modifiedAt < before)) names.push(name);
  }
  return names;
}
