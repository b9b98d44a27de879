import { lifecycleRules, type LifecycleRule } from '../../contract/lifecycle.ts';

/** Whether a fit of a collecting model was asked for and has not ended. The table's alias is `m`, here and below. */
export const fitPending = `(m.status = 'collecting' AND fit_is_asked_for(m.id))`;

/**
 * When hosting is charged next: on the day an unpaid month is tried again, else at the end of the month that is paid.
 */
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

/** Whether the rule has happened by the instant: `dueOf` of the rules in SQL, null where its date is. */
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
