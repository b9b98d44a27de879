/**
 * Prices in integer micro-dollars (spec, "Charges"). One US dollar is 1,000,000 micro-dollars; money is never a float.
 */
export type MicroUsd = bigint;

export const prices = {
  createFee: 1_000_000n,
  hostingMonth: 1_000_000n,
  window: 3_000n,
  newAccountCredit: 5_000_000n,
} as const satisfies Record<string, MicroUsd>;

export type Prices = Readonly<Record<keyof typeof prices, MicroUsd>>;

/** Formats micro-dollars as a decimal string: at least two, at most six decimals (`1.00`, `0.003`). */
export function formatUsd(amount: MicroUsd): string {
  const sign = amount < 0n ? '-' : '';
  const absolute = amount < 0n ? -amount : amount;
  const fraction = (absolute % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${sign}${absolute / 1_000_000n}.${fraction}`;
}

/** An amount for people: `$1.00`, `-$0.003`. Fields of the API hold `formatUsd`. */
export const dollars = (amount: MicroUsd): string =>
  amount < 0n ? `-$${formatUsd(-amount)}` : `$${formatUsd(amount)}`;

/** Parses a decimal string such as `5`, `5.00` or `0.003` to micro-dollars; throws a RangeError on anything else. */
export function parseUsd(text: string): MicroUsd {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) throw new RangeError(`"${text}" is not an amount in US dollars with at most six decimals.`);
  const micro = BigInt(match[2]) * 1_000_000n + BigInt((match[3] ?? '').padEnd(6, '0'));
  return match[1] ? -micro : micro;
}
