import { createHash } from 'node:crypto';
import { countFinalEstimate, countWaitingEstimate, endWait } from '../../../infra/records/admission/usage.ts';
import { assertAffordable } from '../../../infra/records/ledger/charges.ts';
import { createCost } from '../../../infra/records/ledger/holds.ts';
import { transaction } from '../../../infra/drivers/postgres/transaction.ts';
import { inWholeSamples } from '../../../infra/contract/reference-fits.ts';
import type { ApiDeps } from '../../deps.ts';
import { classIdsOf } from './mapping.ts';
import type { ZeroShotInput } from './read-zero-shot-task.ts';
import type { FitAvailability } from './fit-availability.ts';
import { zeroShotAvailability } from './zero-shot-availability.ts';

/** Identity of a preparation: estimates and creates with the same classes and shape have the same one. */
export function preparationHash({ target, shape }: Pick<ZeroShotInput, 'target' | 'shape'>): string {
  const { channelNames, seconds, sourceRateHz } = inWholeSamples(shape);
  const parts = [target.set.id, target.set.version, target.task.id, classIdsOf(target)];
  return createHash('sha256')
    .update(JSON.stringify([...parts, channelNames, seconds, sourceRateHz]))
    .digest('hex');
}

/**
 * Takes one estimate of the daily allowance, then starts what is due. A preparation counts once until a final answer;
 * an attempt after a failed one counts again. `seen`: the state before. Returns whether it was counted now. Throws
 * BUDGET_EXCEEDED and USAGE_CAP_EXCEEDED before it starts anything.
 */
export async function beginCounted(
  deps: ApiDeps,
  input: ZeroShotInput,
  seen: FitAvailability,
): Promise<{ readonly counted: boolean; readonly availability: FitAvailability }> {
  const { accountId, mode, at, dailyEstimates: allowance } = input.context.caller;
  const hash = preparationHash(input);
  const counted = await transaction(deps.pool, async (sql) => {
    await assertAffordable(sql, { accountId, mode, amount: createCost, at });
    if (!seen.ready && seen.restarts) await endWait(sql, { accountId, hash });
    return (seen.ready ? countFinalEstimate : countWaitingEstimate)(sql, { accountId, allowance, at, hash });
  });
  const asking = { accountId, at, start: true };
  const availability = seen.ready ? seen : await zeroShotAvailability(deps, input, asking);
  return { counted, availability };
}
