import type pg from 'pg';
import { invariants, type Invariant } from '../../../infra/records/ledger/invariants.ts';
import { keptMonth } from '../../../infra/records/ledger/refund.ts';
import { rangeInvariants } from '../../../infra/records/ledger/range-invariants.ts';
import { seriesInvariants } from '../../../infra/records/ledger/series-invariants.ts';

/** The billing state of a task model. Instants in Unix milliseconds. */
export interface ObservedModel {
  readonly status: string;
  readonly paidThrough: number | null;
  readonly expiresAt: number | null;
  readonly unpaidSince: number | null;
  /** Create fees and hosting months that were charged. */
  readonly fees: number;
  readonly months: number;
  readonly batches: number;
}

/** One account in the database. Micro-dollars. */
export interface Observed {
  readonly available: bigint;
  readonly reserved: bigint;
  readonly spent: Readonly<Record<string, bigint>>;
  readonly models: Readonly<Record<string, ObservedModel>>;
}

export interface Look {
  readonly observed: Observed;
  /** Ids of the models, by name. */
  readonly ids: Readonly<Record<string, string>>;
  /** Objects that paid models need. */
  readonly needed: readonly string[];
  /** Changes with every change of a row that an invariant reads. */
  readonly version: string;
}

/** The tables that the invariants read. */
const tables = [
  'accounts',
  'holds',
  'hosting_waivers',
  'ledger_entries',
  'ledger_transactions',
  'spending_days',
  'task_model_batches',
  'task_models',
  'wallets',
];
/** A row that is written anew belongs to a later transaction; one that is deleted is counted no more. */
const versions = tables
  .map((table) => `(SELECT concat(count(*), ' ', max(xmin::text::bigint)) FROM ${table})`)
  .join(` || ',' || `);

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::bigint::text`;
const charges = (kind: string): string =>
  `(SELECT count(*) FROM ledger_transactions t WHERE t.model_id = m.id AND t.kind = 'task_models.${kind}')`;

/** Models are identified by their names. */
export async function look(sql: pg.Pool, accountId: string): Promise<Look> {
  const { rows } = await sql.query<{
    wallet: { a: string; h: string };
    days: any;
    models: any;
    ids: Record<string, string> | null;
    needed: string[] | null;
    version: string;
  }>({
    name: 'look',
    text: `
      SELECT
        (SELECT jsonb_build_object('a', balance::text, 'h', held::text) FROM wallets WHERE account_id = $1) AS wallet,
        (SELECT jsonb_object_agg(day, usd) FROM (
          SELECT day, sum(micro_usd)::text AS usd FROM spending_days WHERE account_id = $1 GROUP BY day) d) AS days,
        (SELECT jsonb_object_agg(m.name, jsonb_build_object(
            'status', m.status, 'paidThrough', ${ms('m.paid_through')}, 'expiresAt', ${ms('m.expires_at')},
            'unpaidSince', ${ms('m.unpaid_since')}, 'fees', ${charges('create_fee')}, 'months', ${charges('hosting')},
            'batches', (SELECT count(*) FROM task_model_batches b WHERE b.model_id = m.id)))
         FROM task_models m WHERE m.account_id = $1) AS models,
        (SELECT jsonb_object_agg(name, id) FROM task_models WHERE account_id = $1) AS ids,
        (SELECT jsonb_agg(ref) FROM (
          SELECT b.features_ref AS ref
          FROM task_model_batches b JOIN task_models m ON m.id = b.model_id AND m.status = 'collecting'
          UNION ALL SELECT model_ref FROM task_models WHERE status = 'active') n) AS needed,
        ${versions} AS version`,
    values: [accountId],
  });
  const { wallet, days, models, ids, needed, version } = rows[0]!;
  const instant = (text: string | null): number | null => (text === null ? null : Number(text));
  const observed = {
    available: BigInt(wallet.a),
    reserved: BigInt(wallet.h),
    spent: Object.fromEntries(Object.entries(days ?? {}).map(([day, usd]) => [day, BigInt(usd as string)])),
    models: Object.fromEntries(
      Object.entries((models ?? {}) as Record<string, any>).map(([name, model]) => [
        name,
        {
          ...model,
          paidThrough: instant(model.paidThrough),
          expiresAt: instant(model.expiresAt),
          unpaidSince: instant(model.unpaidSince),
        },
      ]),
    ),
  };
  return { observed, ids: ids ?? {}, needed: needed ?? [], version };
}

/** A query with its parameters written into it, of books without closings. `instant`: the time of the check, in SQL. */
function written({ query, values = [] }: Invariant, instant: string): string {
  const given = { closed: '0', last: '9223372036854775807', instant } as const;
  return values.reduce((text, name, i) => text.replaceAll(`$${i + 1}`, given[name]), query);
}

const ledger = [...invariants, ...seriesInvariants, ...rangeInvariants];
const due = ledger
  .filter(({ overdue }) => overdue)
  .map((each) => ({ invariant: each.invariant, query: written(each, '$1::timestamptz') }));
/** Every invariant of the ledger that holds at any instant, and further conditions. */
const always: readonly Invariant[] = [
  ...ledger
    .filter(({ overdue }) => !overdue)
    .map((each) => ({ invariant: each.invariant, query: written(each, 'now()') })),
  {
    invariant: 'a model is charged one create fee and each hosting month at most once',
    query: `
      SELECT format('task_models %s', model_id) AS row,
             format('%s charges of %s, month %s', count(*), kind, period) AS problem
      FROM ledger_transactions WHERE period IS NOT NULL GROUP BY model_id, kind, period HAVING count(*) > 1`,
  },
  {
    invariant: 'a create fee is charged with the capture of its hold',
    query: `
      SELECT format('ledger_transactions %s', t.id) AS row,
             format('its hold is %s', coalesce(h.state, 'missing')) AS problem
      FROM ledger_transactions t LEFT JOIN holds h ON h.id = t.hold_id
      WHERE t.kind = 'task_models.create_fee' AND h.state IS DISTINCT FROM 'captured'`,
  },
  {
    invariant: 'a deleted model is charged no more, and an expired one for nothing that begins after its end',
    query: `
      SELECT format('ledger_transactions %s', t.id) AS row,
             format('%s at %s for %s of a model that is %s, deleted %s, expired %s',
               t.kind, t.at, t.starts_at, m.status, m.deleted_at, m.expires_at) AS problem
      FROM ledger_transactions t JOIN task_models m ON m.id = t.model_id
      WHERE t.kind IN ('task_models.create_fee', 'task_models.hosting', 'task_models.predict')
        AND (t.at > m.deleted_at OR (m.status = 'expired' AND coalesce(t.starts_at, t.at) >= m.expires_at))
        AND (t.kind <> 'task_models.hosting' OR ${keptMonth})`,
  },
];
const together = (those: readonly Invariant[]): string =>
  those
    .map(({ invariant, query }) => `SELECT '${invariant.replaceAll("'", "''")}' AS invariant, f.* FROM (${query}) AS f`)
    .join('\nUNION ALL\n');

/** Problems of the books, as text. `at`: also checks what must have been charged by then. */
export async function problemsOf(sql: pg.Pool, at: number | null): Promise<string[]> {
  const { rows } = await sql.query<{ invariant: string; row: string; problem: string }>(
    at === null
      ? { name: 'always', text: together(always) }
      : { name: 'due', text: together([...always, ...due]), values: [new Date(at)] },
  );
  return rows.map(({ invariant, row, problem }) => `${invariant}: ${row}: ${problem}`);
}
