import { limits } from '../../contract/limits.ts';
import { holdTransactions, type Invariant } from './invariants.ts';
import { skew } from './range-invariants.ts';

/** Dates that must be in the past: table, alias and key of the row, columns. */
const pastDates: readonly (readonly [from: string, row: string, columns: readonly string[]])[] = [
  ['hosting_waivers', `format('hosting_waivers %s %s', model_id, period)`, ['at', 'starts_at']],
  ['holds', `format('holds %s', id)`, ['created_at', 'resolved_at']],
  ['accounts', `format('accounts %s', id)`, ['created_at', 'closed_at']],
  ['task_models', `format('task_models %s', id)`, ['created_at', 'fitted_at', 'deleted_at', 'unpaid_since']],
  ['task_model_batches', `format('task_model_batches %s %s', model_id, n)`, ['created_at']],
  ['ledger_seals', `format('ledger_seals %s', number)`, ['sealed_at']],
];

const datedAhead = (dates: typeof pastDates): string =>
  dates
    .map(
      ([from, row, columns]) => `
      SELECT ${row} AS row, concat_ws(', ', ${columns.map((column) => `'${column} ' || ${column}`).join(', ')}) || ', ahead of the clock' AS problem
      FROM ${from} WHERE ${columns.map((column) => `${column} > $1::timestamptz + ${skew}`).join(' OR ')}`,
    )
    .join(' UNION ALL ');

/** Invariants between tables, each checked in both directions, and of dates. */
export const relationInvariants: readonly Invariant[] = [
  {
    invariant: 'every account has a wallet, and every wallet an account',
    query: `
      SELECT CASE WHEN a.id IS NULL THEN format('accounts %s', w.account_id) ELSE format('wallets %s', a.id) END AS row,
             'there is no such row' AS problem
      FROM accounts a FULL JOIN wallets w ON w.account_id = a.id WHERE a.id IS NULL OR w.account_id IS NULL`,
  },
  {
    invariant: 'a hold and its transactions have the same account, model and date',
    query: `
      SELECT format('holds %s', h.id) AS row,
             format('%s of account %s, model %s, created %s, resolved %s; transaction %s, %s, is of account %s, model %s, %s', h.state, h.account_id,
               h.model_id, h.created_at, coalesce(h.resolved_at::text, 'never'), t.id, t.kind, t.account_id, t.model_id, t.at) AS problem
      FROM holds h JOIN ${holdTransactions} t ON t.hold_id = h.id
      WHERE t.account_id <> h.account_id OR t.model_id IS DISTINCT FROM h.model_id
         OR t.at IS DISTINCT FROM CASE t.kind WHEN 'hold.reserve' THEN h.created_at ELSE h.resolved_at END`,
  },
  {
    invariant: 'a captured hold is for a live model of its account, and no hold is for a model of another',
    query: `
      SELECT format('holds %s', h.id) AS row,
             format('%s for %s, which is %s', h.state, h.model_id, coalesce(m.mode || ' of account ' || m.account_id, 'unknown')) AS problem
      FROM holds h LEFT JOIN task_models m ON m.id = h.model_id
      WHERE (h.state = 'captured' AND m.id IS NULL) OR m.mode <> 'live' OR m.account_id <> h.account_id`,
  },
  {
    invariant: 'nothing is dated ahead of the clock of the database',
    values: ['instant'],
    query: `${datedAhead(pastDates)}
      UNION ALL
      SELECT format('spending_days %s %s %s', account_id, day, kind), format('day %s, ahead of the clock', day)
      FROM spending_days WHERE day > (($1::timestamptz + ${skew}) AT TIME ZONE 'UTC')::date`,
  },
  {
    invariant: 'no transaction is dated ahead of the clock of the database',
    values: ['instant'],
    suspect: 'ahead',
    query: datedAhead([['ledger_transactions', `format('ledger_transactions %s', id)`, ['at', 'starts_at']]]),
  },
  {
    invariant: 'the ids of transactions were drawn from their sequence',
    suspect: 'outside',
    query: `
      SELECT format('ledger_transactions %s', t.id) AS row, format('the last id drawn is %s', s.last_value) AS problem
      FROM ledger_transactions t, ledger_transactions_id_seq s WHERE t.id < 1 OR t.id > s.last_value`,
  },
  {
    invariant: 'what requests counted as paid predictions was charged',
    values: ['instant'],
    query: `
      SELECT format('usage_days %s %s', u.account_id, u.day) AS row,
             format('counted %s windows and %s micro-dollars, charged %s and %s', u.windows, u.micro_usd, coalesce(d.windows, 0), coalesce(d.micro_usd, 0)) AS problem
      FROM (SELECT account_id, day, sum(windows) AS windows, sum(micro_usd) AS micro_usd FROM usage_days
            WHERE mode = 'live' AND endpoint = 'task_models.predict' AND code = 'ok'
              AND day > ($1::timestamptz AT TIME ZONE 'UTC')::date - ${limits.usageDays} GROUP BY 1, 2) u
      LEFT JOIN spending_days d ON d.account_id = u.account_id AND d.day = u.day AND d.mode = 'live' AND d.kind = 'task_models.predict'
      WHERE u.windows > coalesce(d.windows, 0) OR u.micro_usd > coalesce(d.micro_usd, 0)`,
  },
];
