import { formatUsd, parseUsd, prices } from '../../../../infra/contract/prices.ts';
import type { CutSummary } from '../file/tasks.ts';
import type { EstimateAnswer } from '../response-types.ts';

export interface Cost {
  /** Total in US dollars; 0 for a test. */
  readonly now: string;
  /** The part for windows of batches; null: one request. */
  readonly batches: string | null;
}

/** Price of the windows of batches, micro-dollars. */
export const batchesPrice = ({ windows }: Pick<CutSummary, 'windows'>): bigint => prices.window * BigInt(windows);

/** Total cost of the create. `collects`: the fit and its fee come later. */
export function costOf(
  { create_usd: fee }: Pick<EstimateAnswer, 'create_usd'>,
  cut: Pick<CutSummary, 'batches' | 'windows'>,
  collects = false,
): Cost {
  if (Number(fee) === 0) return { now: '0.00', batches: null };
  if (collects) {
    const stored = formatUsd(batchesPrice(cut));
    return { now: stored, batches: stored };
  }
  const batches = cut.batches.length > 1 ? batchesPrice(cut) : 0n;
  return {
    now: formatUsd(prices.createFee + prices.hostingMonth + batches),
    batches: batches === 0n ? null : formatUsd(batches),
  };
}

/** Amount in US dollars that is missing from the balance; null: the balance covers the cost. */
export function missingOf(cost: string, balance: string): string | null {
  const missing = parseUsd(cost) - parseUsd(balance);
  return missing > 0n ? formatUsd(missing) : null;
}
