import { ApplicationFailure } from '@temporalio/common';
import { minuteMs } from '../../infra/contract/limits.ts';
import { markCleaned } from '../../infra/records/task-models/transitions.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { eraseAnswersOf } from '../../infra/records/task-models/erase-answers.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { isOver } from '../../infra/contract/lifecycle.ts';
import { prices } from '../../infra/contract/prices.ts';
import { countCharge } from '../../infra/observe/metrics.ts';
import { objectPrefixes } from '../../infra/contract/object-names.ts';
import { withHeartbeats } from '../with-heartbeats.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../activities.ts';
import { removePrefixes } from './clean-up.ts';

/**
 * Does everything that is due by the database's clock in one transaction, then deletes the objects that the model no
 * longer needs. Idempotent.
 */
export function createSettleLifecycle(tools: Tools): Activities['settleLifecycle'] {
  const { pool, reach } = tools;
  return ({ modelId, at }) =>
    withHeartbeats(async () => {
      const now = await databaseTime(tools, at);
      const { model, renewed, charged, happened } = await transaction(pool, async (sql) => {
        const settled = await settleDue(sql, modelId, now);
        await reach('settle:before-commit');
        return settled;
      });
      countCharge('hosting', prices.hostingMonth * BigInt(charged), charged);
      await reach('settle:after-commit');
      if (model && model.cleanup !== 'none') {
        if (model.cleanup === 'all') await eraseAnswersOf(pool, modelId);
        await removePrefixes(tools, objectPrefixes[model.cleanup](modelId, new Date()));
        await markCleaned(pool, modelId, model.cleanup);
      }
      await reach('settle:after-clean-up');
      return { renewed, finished: !model || isOver(model.status), happened };
    });
}

/**
 * The time by the database's clock. If the workflow's clock is ahead, it waits until the database's clock has reached
 * that time. So nothing is charged early, and an event that is due for the workflow is due for the database.
 */
async function databaseTime({ clock }: Pick<Tools, 'clock'>, workflowMs: number): Promise<Date> {
  const now = await clock(workflowMs);
  const aheadMs = workflowMs - now.getTime();
  if (aheadMs <= 0) return now;
  throw ApplicationFailure.create({
    message: `The clock of Temporal is ${aheadMs / 1000} s ahead of the database's; renewals wait for the database's.`,
    nextRetryDelay: Math.min(aheadMs, minuteMs),
  });
}

/** Deletes every object of a model. */
export function createCleanUpModel(tools: Tools): Activities['cleanUpModel'] {
  return ({ modelId }) => withHeartbeats(() => removePrefixes(tools, objectPrefixes.all(modelId, new Date())));
}
