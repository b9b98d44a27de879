import { nextChargeAt } from '../task-models/lifecycle-sql.ts';
import { keptMonth } from './refund.ts';
import type { Invariant } from './invariants.ts';

/** Hosting months of a model: charged ones without a refund, and waived ones. */
const hostingMonths = `(
  SELECT format('ledger_transactions %s', t.id) AS row, t.model_id, t.period, t.starts_at, t.ends_at, t.at, true AS charged
  FROM ledger_transactions t WHERE t.period IS NOT NULL AND ${keptMonth}
  UNION ALL
  SELECT format('hosting_waivers %s %s', model_id, period), model_id, period, starts_at, ends_at, at, false FROM hosting_waivers)`;

/** Invariants of all charges of a model. */
export const seriesInvariants: readonly Invariant[] = [
  {
    invariant: 'a fitted live model has paid its create fee once',
    query: `
      SELECT format('task_models %s', coalesce(m.id, t.model_id)) AS row, format('%s create fees, fitted at %s', count(t.id), coalesce(m.fitted_at::text, 'no time')) AS problem
      FROM (SELECT * FROM task_models WHERE mode = 'live') m FULL JOIN (SELECT * FROM ledger_transactions WHERE kind = 'task_models.create_fee' AND period IS NOT NULL) t ON t.model_id = m.id
      GROUP BY m.id, m.fitted_at, t.model_id HAVING count(t.id) <> (m.fitted_at IS NOT NULL)::int`,
  },
  {
    invariant: 'hosting months follow each other from the fit without gap or overlap',
    query: `
      SELECT t.row, format('month %s of %s runs from %s to %s', t.period, t.model_id, t.starts_at, t.ends_at) AS problem
      FROM (SELECT *, row_number() OVER (PARTITION BY model_id ORDER BY period) AS place, lag(ends_at) OVER (PARTITION BY model_id ORDER BY period) AS previous
            FROM ${hostingMonths} AS h) t
      LEFT JOIN task_models m ON m.id = t.model_id
      WHERE t.period <> t.place OR t.ends_at <> t.starts_at + interval '720 hours' OR t.starts_at IS DISTINCT FROM coalesce(t.previous, m.fitted_at)`,
  },
  {
    invariant: 'hosting is paid through the end of the last month charged or waived',
    query: `
      SELECT format('task_models %s', m.id) AS row, format('paid through %s, last month ends %s', m.paid_through, t.ends_at) AS problem
      FROM task_models m
      LEFT JOIN (SELECT model_id, max(ends_at) AS ends_at FROM ${hostingMonths} AS h GROUP BY 1) t ON t.model_id = m.id
      WHERE m.mode = 'live' AND m.paid_through IS DISTINCT FROM t.ends_at`,
  },
  {
    invariant:
      'no charged hosting month begins after expiry or deletion, and none is charged or waived before it begins',
    query: `
      SELECT t.row,
             format('month %s of %s begins %s and was charged or waived %s; the model is %s, expires %s, deleted %s', t.period, m.id, t.starts_at, t.at, m.status, m.expires_at, m.deleted_at) AS problem
      FROM ${hostingMonths} AS t JOIN task_models m ON m.id = t.model_id
      WHERE t.period > 1
        AND (t.at < t.starts_at OR (t.charged AND (t.starts_at >= m.deleted_at OR (m.status = 'expired' AND t.starts_at >= m.expires_at))))`,
  },
  {
    invariant: 'a hosting month is given back at the price it was charged at',
    query: `
      SELECT format('ledger_transactions %s', r.id) AS row,
             format('month %s of %s gives back %s micro-dollars, charged %s', r.period, r.model_id, r.unit_price, coalesce(t.unit_price::text, 'nothing')) AS problem
      FROM ledger_transactions r LEFT JOIN ledger_transactions t ON t.model_id = r.model_id AND t.period = r.period AND t.kind = 'task_models.hosting'
      WHERE r.period IS NOT NULL AND r.kind = 'task_models.hosting_refund' AND r.unit_price IS DISTINCT FROM t.unit_price`,
  },
  {
    invariant: 'a hosting month is given back on the day it was charged',
    query: `
      SELECT format('ledger_transactions %s', r.id) AS row, format('month %s of %s is given back %s, charged %s', r.period, r.model_id, r.at, t.at) AS problem
      FROM ledger_transactions r JOIN ledger_transactions t ON t.model_id = r.model_id AND t.period = r.period AND t.kind = 'task_models.hosting'
      WHERE r.period IS NOT NULL AND r.kind = 'task_models.hosting_refund' AND r.at <> t.at`,
  },
  {
    invariant: 'a hosting month is given back only if its model ended before it',
    query: `
      SELECT format('ledger_transactions %s', r.id) AS row,
             format('month %s of %s begins %s; the model is %s, expires %s, deleted %s', r.period, m.id, t.starts_at, m.status, m.expires_at, m.deleted_at) AS problem
      FROM ledger_transactions r JOIN ledger_transactions t ON t.model_id = r.model_id AND t.period = r.period AND t.kind = 'task_models.hosting'
      JOIN task_models m ON m.id = r.model_id
      WHERE r.period IS NOT NULL AND r.kind = 'task_models.hosting_refund'
        AND (m.status NOT IN ('deleted', 'expired') OR t.starts_at < least(m.deleted_at, m.expires_at))`,
  },
  {
    invariant: 'a hosting month is waived for a live model',
    query: `
      SELECT format('hosting_waivers %s %s', w.model_id, w.period) AS row, format('the model is %s', coalesce(m.mode, 'unknown')) AS problem
      FROM hosting_waivers w LEFT JOIN task_models m ON m.id = w.model_id WHERE m.mode IS DISTINCT FROM 'live'`,
  },
  {
    invariant: 'batches of a deferred fit were charged window by window',
    query: `
      SELECT format('task_models %s', m.id) AS row, format('batches of %s windows, %s windows charged', b.windows, coalesce(t.windows, 0)) AS problem
      FROM task_models m JOIN (SELECT model_id, sum(windows) AS windows FROM task_model_batches GROUP BY 1) b ON b.model_id = m.id
      LEFT JOIN LATERAL (
        SELECT sum(t.windows) AS windows FROM ledger_transactions t
        WHERE t.account_id = m.account_id AND t.at >= m.created_at AND t.kind = 'task_models.predict' AND t.model_id = m.id) t ON true
      WHERE m.mode = 'live' AND m.status = 'collecting' AND coalesce(t.windows, 0) <> b.windows`,
  },
  {
    invariant: 'test keys are never charged',
    query: `
      SELECT format('spending_days %s %s', account_id, day) AS row, format('%s micro-dollars in test mode', micro_usd) AS problem
      FROM spending_days WHERE mode = 'test' AND micro_usd <> 0`,
  },
  {
    invariant: 'every hosted model has paid, or is marked unpaid',
    values: ['instant'],
    overdue: true,
    query: `
      SELECT format('task_models %s', id) AS row, format('active and paid through %s only', paid_through) AS problem
      FROM task_models m
      WHERE status = 'active' AND mode = 'live' AND unpaid_since IS NULL
        AND ${nextChargeAt} + interval '24 hours' < $1::timestamptz`,
  },
];
