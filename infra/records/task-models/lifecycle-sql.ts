import { lifecycleRules, type LifecycleRule } from '../../contract/lifecycle.ts';

/** Whether a fit of a collecting model was requested and has not ended. The table's alias is `m`, here and below. */
export const fitPending = `(m.status = 'collecting' AND fit_is_asked_for(m.id))`;

/** Date of the next hosting charge: the day on which an unpaid month is tried again, else the end of the paid month. */
export const nextChargeAt = `coalesce(m.retry_at, CASE
  WHEN m.status = 'active' AND (m.expires_at IS NULL OR m.expires_at > m.paid_through) THEN m.paid_through END)`;

const columnOf: Readonly<Record<LifecycleRule['from'], string>> = {
  createdAt: 'm.created_at',
  collectUntil: 'm.collect_until',
  expiresAt: 'm.expires_at',
  unpaidSince: 'm.unpaid_since',
  nextChargeAt,
};

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** Whether the rule applies by the instant: `dueOf` of the rules in SQL; null if its date is null. */
const happened = ({ status, mode, unpaid, from, days, waitsForFit }: LifecycleRule, at: string): string =>
  [
    `m.status IN (${list(status)})`,
    ...(mode === undefined ? [] : [`m.mode = '${mode}'`]),
    ...(unpaid === undefined ? [] : [`m.unpaid_since IS ${unpaid ? 'NOT NULL' : 'NULL'}`]),
    ...(waitsForFit ? [`NOT ${fitPending}`] : []),
    `${columnOf[from]} + interval '${days * 24} hours' <= ${at}`,
  ].join(' AND ');

/** The condition under which a reader sees the model as collecting or active at the instant: `statusAt` in SQL. */
export const visibleAt = (at: string): string =>
  [
    `m.status IN ('collecting', 'active')`,
    ...lifecycleRules
      .filter(({ becomes }) => becomes !== 'charged')
      .map((rule) => `(${happened(rule, at)}) IS NOT TRUE`),
  ].join('\n  AND ');
