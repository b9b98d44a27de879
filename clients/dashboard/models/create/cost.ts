import { formatUsd, parseUsd, prices } from '../../../../infra/contract/prices.ts';
import type { CutSummary } from '../file/tasks.ts';
import type { EstimateAnswer } from '../response-types.ts';

export interface Cost {
  /** In all, in US dollars: of a test nothing. */
  readonly now: string;
  /** Of that for windows of batches; null: it goes in one request. */
  readonly batches: string | null;
}

/** What the create costs in all. */
export function costOf({ create_usd: fee }: Pick<EstimateAnswer, 'create_usd'>, cut: CutSummary): Cost {
  if (Number(fee) === 0) return { now: '0.00', batches: null };
  const batches = cut.batches.length > 1 ? prices.window * BigInt(cut.windows) : 0n;
  return {
    now: formatUsd(prices.createFee + prices.hostingMonth + batches),
    batches: batches === 0n ? null : formatUsd(batches),
  };
}

/** What a balance lacks for a cost, in US dollars; null: it covers it. */
export function missingOf(cost: string, balance: string): string | null {
  const missing = parseUsd(cost) - parseUsd(balance);
  return missing > 0n ? formatUsd(missing) : null;
}
