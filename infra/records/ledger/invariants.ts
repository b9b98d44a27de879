import { limits } from '../../contract/limits.ts';
import { allDaySums, allEntrySums, closedThrough, daysOf } from './closings-sql.ts';

/** Values for the parameters of a query: the last closed id, the largest id, the time of the check. */
export interface CheckValues {
  readonly closed: bigint;
  readonly last: bigint;
  readonly instant: Date;
}

/** Summary from one pass over the ledger's transactions: whether any of them breaks an invariant. */
export interface Suspicions {
  readonly ahead: boolean;
  readonly outside: boolean;
  readonly ofOthers: boolean;
  readonly creditsAhead: boolean;
  readonly miscounted: boolean;
}

export interface Invariant {
  readonly invariant: string;
  /** Returns `row` and `problem` for every faulty row. */
  readonly query: string;
  /** $1, $2, …; default: none. */
  readonly values?: readonly (keyof CheckValues)[];
  /** Reports overdue actions: needs a caller that knows the time of the service. */
  readonly overdue?: boolean;
  /** Checked only if the summary of all transactions shows a fault, to find the faulty rows. */
  readonly suspect?: keyof Suspicions;
}

/** Transactions of holds, found with a partial index. Kinds that may not name a hold are checked row by row. */
export const holdTransactions = `(
  SELECT * FROM ledger_transactions WHERE hold_id IS NOT NULL
    AND kind IN ('hold.reserve', 'hold.release', 'task_models.create_fee', 'task_models.hosting'))`;

const sameOwner = `min(t.model_id) = max(t.model_id) AND min(t.account_id::text) = max(t.account_id::text)`;

/** A hold that was deleted after its time left transactions that are complete by themselves. $1: time of the check. */
const endedSoundly = `s.last < $1::timestamptz - interval '${limits.holdDays} days' AND s.one_owner
        AND s.reserved = coalesce(s.captured, s.released) AND num_nulls(s.captured, s.released) = 1`;

/** Days that count other charges than those of closings and of the rows `from`. $1: last closed id, $2: time of the check. */
export const miscounted = (from: string): string => `
      SELECT format('spending_days %s %s %s', account_id, day, kind) AS row,
             format('counted %s micro-dollars and %s windows, charged %s and %s', coalesce(d.micro_usd, 0), coalesce(d.windows, 0), coalesce(s.micro_usd, 0), coalesce(s.windows, 0)) AS problem
      FROM (SELECT * FROM spending_days WHERE mode = 'live') d FULL JOIN (${allDaySums(from)}) s USING (account_id, day, kind)
      WHERE day > ($2::timestamptz AT TIME ZONE 'UTC')::date - ${limits.usageDays}
        AND (d.micro_usd IS DISTINCT FROM s.micro_usd OR d.windows IS DISTINCT FROM s.windows)`;

/** Invariants of wallets, holds and counters. */
export const invariants: readonly Invariant[] = [
  {
    invariant: 'a captured hold was charged at the prices it was reserved at',
    query: `
      SELECT format('holds %s', h.id) AS row,
             format('%s charged at %s micro-dollars, reserved at %s and %s', t.kind, t.unit_price, h.create_fee, h.hosting_month) AS problem
      FROM holds h JOIN ${holdTransactions} t ON t.hold_id = h.id AND t.kind LIKE 'task_models.%'
      WHERE t.unit_price IS DISTINCT FROM CASE t.kind WHEN 'task_models.create_fee' THEN h.create_fee ELSE h.hosting_month END`,
  },
  {
    invariant: 'a wallet holds the sum of its entries',
    values: ['closed'],
    query: `
      SELECT format('wallets %s', coalesce(w.account_id, s.account_id)) AS row,
             CASE WHEN w.account_id IS NULL THEN format('there is no such wallet; entries sum to %s and %s', s.wallet, s.held)
               ELSE format('balance %s and held %s, its entries sum to %s and %s', w.balance, w.held, coalesce(s.wallet, 0), coalesce(s.held, 0)) END AS problem
      FROM wallets w FULL JOIN (${allEntrySums}) s ON s.account_id = w.account_id
      WHERE w.account_id IS NULL OR w.balance <> coalesce(s.wallet, 0) OR w.held <> coalesce(s.held, 0)`,
  },
  {
    invariant: 'no wallet is below zero',
    query: `SELECT format('wallets %s', account_id) AS row, format('balance %s, held %s', balance, held) AS problem FROM wallets WHERE balance < 0 OR held < 0`,
  },
  {
    invariant: 'every account has a wallet and its free credit once, or none while that waits for approval',
    query: `
      SELECT format('accounts %s', a.id) AS row, format('%s free credits of %s micro-dollars', count(t.id), coalesce(sum(e.amount), 0)) AS problem
      FROM accounts a LEFT JOIN ledger_transactions t ON t.account_id = a.id AND t.kind = 'credit.free'
      LEFT JOIN ledger_entries e ON e.transaction_id = t.id AND e.ledger_account = 'wallet'
      GROUP BY a.id HAVING count(t.id) <> (a.credit_waits_since IS NULL)::integer OR sum(e.amount) IS DISTINCT FROM sum(t.unit_price)`,
  },
  {
    invariant: 'held credit is the sum of the open holds',
    query: `
      SELECT format('wallets %s', w.account_id) AS row, format('held %s, open holds sum to %s', w.held, coalesce(sum(h.amount), 0)) AS problem
      FROM wallets w LEFT JOIN holds h ON h.account_id = w.account_id AND h.state = 'open'
      GROUP BY w.account_id HAVING w.held <> coalesce(sum(h.amount), 0)`,
  },
  {
    invariant: 'a hold is reserved once, then captured or released once, never both',
    values: ['instant'],
    query: `
      SELECT format('holds %s', coalesce(h.id, s.hold_id)) AS row,
             format('%s of %s: reserved %s, captured %s, released %s', coalesce(h.state, 'no such hold'), h.amount, coalesce(s.reserved, 0), coalesce(s.captured, 0), coalesce(s.released, 0)) AS problem
      FROM holds h FULL JOIN (
        SELECT t.hold_id, max(t.at) AS last, ${sameOwner} AS one_owner, sum(e.amount) FILTER (WHERE t.kind = 'hold.reserve') AS reserved, sum(-e.amount) FILTER (WHERE t.kind LIKE 'task_models.%') AS captured,
               sum(-e.amount) FILTER (WHERE t.kind = 'hold.release') AS released
        FROM ${holdTransactions} t JOIN ledger_entries e ON e.transaction_id = t.id AND e.ledger_account = 'held' GROUP BY 1) s ON s.hold_id = h.id
      WHERE CASE WHEN h.id IS NULL THEN (${endedSoundly}) IS NOT TRUE
        ELSE coalesce(s.reserved, 0) <> h.amount OR coalesce(s.captured, 0) <> CASE h.state WHEN 'captured' THEN h.amount ELSE 0 END
          OR coalesce(s.released, 0) <> CASE h.state WHEN 'released' THEN h.amount ELSE 0 END END`,
  },
  {
    invariant: 'the counters of a day equal its charges',
    values: ['closed', 'instant'],
    suspect: 'miscounted',
    query: miscounted(daysOf(`t.id > ${closedThrough}`)),
  },
];
