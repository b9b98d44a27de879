import { limits } from '../../infra/contract/limits.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { unendedFits } from '../../infra/records/fit-jobs/stuck.ts';
import { abandon } from '../fit/abandon-fit.ts';
import type { Tools } from '../tools.ts';
import type { FitFailure } from '../activities.ts';

const overdue: FitFailure = {
  code: 'BACKEND_FAILURE',
  message: `The fit did not end within ${limits.fitHours} hours; nothing was charged. Send the request again.`,
  reasons: [],
};

/**
 * Gives up fits that were requested more than `limits.fitHours` before `at` and have not ended. Their credit holds are
 * released, and a model that has expired in the meantime can end. Returns the number of fits.
 */
export async function abandonOverdueFits({ pool }: Pick<Tools, 'pool'>, at: Date): Promise<number> {
  const jobs = await unendedFits(pool, new Date(at.getTime() - limits.fitHours * 3_600_000));
  for (const job of jobs) await transaction(pool, (sql) => abandon(sql, job, overdue, at));
  return jobs.length;
}
