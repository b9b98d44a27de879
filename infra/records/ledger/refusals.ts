import { ApiError } from '../../contract/errors.ts';
import { dollars, formatUsd, type MicroUsd } from '../../contract/prices.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import { secondsUntilNext } from '../../contract/utc-periods.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { allowanceUsedUp } from '../../contract/quota-errors.ts';
import { spending, type Spent } from './spending.ts';
import type { Wallet } from './wallet.ts';

const periods = [
  { period: 'day', word: 'daily', cap: (w: Wallet) => w.dailyCap, windows: (w: Wallet) => w.dailyWindows },
  { period: 'month', word: 'monthly', cap: (w: Wallet) => w.monthlyCap, windows: (w: Wallet) => w.monthlyWindows },
] as const;

/**
 * Throws INSUFFICIENT_CREDIT (402) if the balance does not cover `amount`. Held credit is not part of the balance.
 * `windowPrice`: the amount is only for windows, each at this price, so that the error can suggest fewer windows.
 */
export function requireCredit(wallet: Wallet, amount: MicroUsd, windowPrice?: MicroUsd): void {
  if (wallet.balance >= amount) return;
  const missing = amount - wallet.balance;
  const held = wallet.held > 0n ? ` (another ${dollars(wallet.held)} is held for fits that are running)` : '';
  throw new ApiError(
    'INSUFFICIENT_CREDIT',
    `This costs ${dollars(amount)} and the balance is ${dollars(wallet.balance)}${held}: ${dollars(missing)} is missing.`,
    {
      advice: [
        `Ask the operator for at least ${dollars(missing)} of credit, then send the request again.`,
        ...fewerWindows(wallet.balance, windowPrice),
      ],
      details: {
        required_usd: formatUsd(amount),
        balance_usd: formatUsd(wallet.balance),
        held_usd: formatUsd(wallet.held),
        missing_usd: formatUsd(missing),
      },
    },
  );
}

function fewerWindows(balance: MicroUsd, windowPrice: MicroUsd | undefined): string[] {
  const windows = windowPrice ? balance / windowPrice : 0n;
  return windows > 0n ? [`Send at most ${windows} windows in a request.`] : [];
}

/**
 * Throws BUDGET_EXCEEDED (402) if `amount` would exceed the account's own daily or monthly cap. Open holds count as
 * spent.
 */
export async function requireBudget(
  sql: Sql,
  wallet: Wallet,
  accountId: string,
  amount: MicroUsd,
  at: Date,
): Promise<void> {
  if (wallet.dailyCap === null && wallet.monthlyCap === null) return;
  const spent = await spending(sql, accountId, at, 'live');
  for (const { period, word, cap } of periods) {
    const most = cap(wallet);
    const used = usedIn(spent, period)?.microUsd ?? 0n;
    if (most === null || used + wallet.held + amount <= most) continue;
    const held = wallet.held > 0n ? ` and ${dollars(wallet.held)} held for fits that are running` : '';
    throw new ApiError(
      'BUDGET_EXCEEDED',
      `This costs ${dollars(amount)}, and with ${dollars(used)} spent this ${period}${held} it would pass the account's ${word} spending cap of ${dollars(most)}.`,
      {
        advice: [
          `Ask the manager of the account to raise the ${word} cap to at least ${dollars(used + wallet.held + amount)}.`,
          `Wait for the next UTC ${period}.`,
        ],
        details: {
          period,
          cap_usd: formatUsd(most),
          spent_usd: formatUsd(used),
          held_usd: formatUsd(wallet.held),
          required_usd: formatUsd(amount),
          resets_in_seconds: secondsUntilNext(period, at),
        },
      },
    );
  }
}

interface Windows {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly windows: number;
  readonly at: Date;
}

/**
 * Throws USAGE_CAP_EXCEEDED (429, Retry-After until the next UTC day or month) if `windows` would exceed a cap on
 * windows, or the daily allowance of test keys.
 */
export async function requireWindows(
  sql: Sql,
  wallet: Wallet,
  { accountId, mode, windows, at }: Windows,
): Promise<void> {
  if (mode === 'test') await requireTestWindows(sql, wallet, { accountId, windows, at });
  if (wallet.dailyWindows === null && wallet.monthlyWindows === null) return;
  const spent = await spending(sql, accountId, at);
  for (const { period, word, windows: cap } of periods.toReversed()) {
    const most = cap(wallet);
    const used = usedIn(spent, period)?.windows ?? 0n;
    if (most === null || used + BigInt(windows) <= most) continue;
    const left = most > used ? most - used : 0n;
    const wait = secondsUntilNext(period, at);
    throw new ApiError(
      'USAGE_CAP_EXCEEDED',
      `This request has ${windows} windows, and ${used} of the ${most} windows of the account's ${word} cap are used: ${left} are left until the next UTC ${period}.`,
      {
        advice: [
          ...(left > 0n ? [`Send at most ${left} windows.`] : []),
          `Send the request again in ${wait} seconds.`,
          `Ask the manager of the account to raise the ${word} cap.`,
        ],
        details: { period, cap_windows: Number(most), used_windows: Number(used), requested_windows: windows },
        retryAfterSeconds: wait,
      },
    );
  }
}

async function requireTestWindows(
  sql: Sql,
  { dailyTestWindows: most }: Wallet,
  { accountId, windows, at }: Omit<Windows, 'mode'>,
): Promise<void> {
  if (most === null) return;
  const used = (await spending(sql, accountId, at, 'test')).today?.windows ?? 0n;
  if (used + BigInt(windows) <= most) return;
  const left = most > used ? most - used : 0n;
  const fewer = left > 0n ? [`Send at most ${left} windows.`] : [];
  throw allowanceUsedUp('dailyTestWindows', { used, limit: most, wanted: BigInt(windows), at }, fewer);
}

const usedIn = (spent: { today: Spent | null; month: Spent | null }, period: 'day' | 'month'): Spent | null =>
  period === 'day' ? spent.today : spent.month;
