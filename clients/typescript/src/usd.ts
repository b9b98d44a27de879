import { RefusedError } from './errors.ts';

/** Micro-dollars of an amount in USD, such as "2.00". Throws RefusedError for any other text. */
export function microUsd(text: string): bigint {
  const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined)
    throw new RefusedError('INVALID_REQUEST', `${text} is not an amount in USD. Write a number such as 2.00.`);
  const amount = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, '0'));
  return sign ? -amount : amount;
}

/** An amount of micro-dollars in USD, with two to six decimals. */
export function formatUsd(amount: bigint): string {
  const [whole, part] = [amount / 1_000_000n, String(amount % 1_000_000n).padStart(6, '0')];
  return `${whole}.${part.replace(/0{1,4}$/, '')}`;
}

/** Throws RefusedError if the cost in micro-dollars is more than `maxUsd`; without it, every cost is allowed. */
export function requireAtMost(cost: bigint, maxUsd: number | string | undefined): void {
  if (maxUsd === undefined) return;
  const limit = microUsd(typeof maxUsd === 'number' ? maxUsd.toFixed(6) : maxUsd);
  if (cost <= limit) return;
  throw new RefusedError(
    'MAX_USD',
    `This costs $${formatUsd(cost)} now, more than your maxUsd of ${formatUsd(limit)}.`,
    {
      field: 'maxUsd',
      alternatives: [{ maxUsd: formatUsd(cost) }],
    },
  );
}
