import type { KeyMode } from '../../contract/task-model.ts';
import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import type { ChargeKind, RefundKind } from '../../contract/ledger-kinds.ts';

type Kind = ChargeKind | RefundKind;

/** Sums of one UTC day or month; refunds are negative. A kind is present once such a charge has been recorded. */
export interface Spent {
  readonly microUsd: MicroUsd;
  readonly windows: bigint;
  readonly byKind: Readonly<Partial<Record<Kind, { readonly microUsd: MicroUsd; readonly windows: bigint }>>>;
}

export interface Spending {
  /** Null: nothing recorded. */
  readonly today: Spent | null;
  readonly month: Spent | null;
}

/** The sums of one kind over the month, and over the day where anything was recorded in it. */
export interface SpendingRow {
  readonly kind: Kind;
  readonly windows: bigint;
  readonly micro_usd: MicroUsd;
  readonly today_windows: bigint | null;
  readonly today_micro_usd: MicroUsd | null;
}

/** SpendingRows of an account in the UTC month of `day`, from keys of `mode`, or of both modes if null. */
export const spendingRows = (account: string, day: string, mode: string): string => `
  SELECT kind, sum(windows)::bigint AS windows, sum(micro_usd)::bigint AS micro_usd,
         (sum(windows) FILTER (WHERE day = ${day}::date))::bigint AS today_windows,
         (sum(micro_usd) FILTER (WHERE day = ${day}::date))::bigint AS today_micro_usd
  FROM spending_days
  WHERE account_id = ${account} AND day >= date_trunc('month', ${day}::date)::date
    AND day < (date_trunc('month', ${day}::date) + interval '1 month')::date
    AND (${mode}::text IS NULL OR mode = ${mode})
  GROUP BY kind`;

export function spendingOf(rows: readonly SpendingRow[]): Spending {
  const today = rows
    .filter((row) => row.today_windows !== null)
    .map((row) => ({ kind: row.kind, windows: row.today_windows!, microUsd: row.today_micro_usd! }));
  return {
    today: total(today),
    month: total(rows.map((row) => ({ kind: row.kind, windows: row.windows, microUsd: row.micro_usd }))),
  };
}

const statement = spendingRows('$1', '$2', '$3');

/** Charges of the account in the UTC day and month of `at`, from keys of `mode`. */
export async function spending(sql: Sql, accountId: string, at: Date, mode?: KeyMode): Promise<Spending> {
  const { rows } = await sql.query<SpendingRow>(statement, [accountId, at.toISOString().slice(0, 10), mode ?? null]);
  return spendingOf(rows);
}

function total(rows: readonly { kind: Kind; windows: bigint; microUsd: MicroUsd }[]): Spent | null {
  if (rows.length === 0) return null;
  return {
    microUsd: rows.reduce((sum, row) => sum + row.microUsd, 0n),
    windows: rows.reduce((sum, row) => sum + row.windows, 0n),
    byKind: Object.fromEntries(rows.map((row) => [row.kind, { microUsd: row.microUsd, windows: row.windows }])),
  };
}
