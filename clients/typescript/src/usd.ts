import { RefusedError } from './errors.ts';

/** Micro-dollars of a decimal text, as the service writes money. */
export function microUsd(text: string): bigint {
  const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RefusedError('INVALID_REQUEST', `${text} is no amount of money.`);
  const amount = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
  return sign ? -amount : amount;
}

/** As the service writes money: at least two decimals, at most six. */
export function formatUsd(amount: bigint): string {
  const [whole, part] = [amount / 1_000_000n, String(amount % 1_000_000n).padStart(6, '0')];
  return `${whole}.${part.replace(/0{1,4}$/, '')}`;
}

/** Throws RefusedError where something costs more than the caller allows. */
export function guard(cost: bigint, maxUsd: number | string | undefined): void {
  if (maxUsd === undefined) return;
  const most = microUsd(typeof maxUsd === 'number' ? maxUsd.toFixed(6) : maxUsd);
  if (cost <= most) return;
  throw new RefusedError('MAX_USD', `This costs ${formatUsd(cost)} USD now, more than maxUsd, ${formatUsd(most)}.`, {
    field: 'maxUsd',
    alternatives: [formatUsd(cost)],
  });
}
