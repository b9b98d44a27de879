import { dayMs, limits } from './limits.ts';
import type { TaskModelRecord, TaskModelStatus } from './task-model.ts';

/** Input of the rules. `fitting` is an immediate create in progress: no rule applies to it, and no reader sees it. */
export type Lifetime = Pick<
  TaskModelRecord,
  'mode' | 'createdAt' | 'collectUntil' | 'expiresAt' | 'unpaidSince' | 'nextChargeAt' | 'fitPending'
> & { readonly status: TaskModelStatus | 'fitting' };

/** One automatic change of a model: `days` after the date `from`, if that is set, its status becomes `becomes`. */
export interface LifecycleRule {
  readonly becomes: 'deleted' | 'expired' | 'charged';
  readonly status: readonly TaskModelStatus[];
  /** Absent: both. */
  readonly mode?: TaskModelRecord['mode'];
  /** Whether the model has an unpaid hosting month; absent: either. */
  readonly unpaid?: boolean;
  readonly from: 'createdAt' | 'collectUntil' | 'expiresAt' | 'unpaidSince' | 'nextChargeAt';
  readonly days: number;
  /** Waits until a requested fit has ended. */
  readonly waitsForFit?: boolean;
  /** For a reader of the Temporal UI. */
  readonly words: string;
}

/** All automatic changes of a model. At the same instant the earlier rule wins. */
export const lifecycleRules: readonly LifecycleRule[] = [
  {
    becomes: 'deleted',
    status: ['collecting', 'active', 'expired'],
    mode: 'test',
    from: 'createdAt',
    days: limits.testModelDays,
    waitsForFit: true,
    words: `Deleted: a test model lives ${limits.testModelDays} days`,
  },
  {
    becomes: 'deleted',
    status: ['collecting'],
    from: 'collectUntil',
    days: 0,
    waitsForFit: true,
    words: `Deleted unless fitted within ${limits.collectingDays} days`,
  },
  { becomes: 'expired', status: ['active'], from: 'expiresAt', days: 0, words: 'Expires' },
  {
    becomes: 'expired',
    status: ['active'],
    from: 'unpaidSince',
    days: limits.unpaidGraceDays,
    words: `Expires: hosting unpaid for ${limits.unpaidGraceDays} days`,
  },
  {
    becomes: 'charged',
    status: ['active'],
    mode: 'live',
    unpaid: true,
    from: 'nextChargeAt',
    days: 0,
    words: 'Hosting month charged again',
  },
  {
    becomes: 'charged',
    status: ['active'],
    mode: 'live',
    unpaid: false,
    from: 'nextChargeAt',
    days: 0,
    words: 'Next hosting month charged',
  },
];

/** When a model of a test key is deleted; null: a live one. */
export const endOfTest = ({ mode, createdAt }: Pick<TaskModelRecord, 'mode' | 'createdAt'>): Date | null =>
  mode === 'test' ? new Date(createdAt.getTime() + limits.testModelDays * dayMs) : null;

export interface Due {
  readonly becomes: LifecycleRule['becomes'];
  readonly at: Date;
  readonly what: string;
}

/** Whether the status is final once the objects are removed. */
export const isOver = (status: TaskModelStatus | 'fitting'): boolean => status === 'expired' || status === 'deleted';

/** The next automatic change of a model and its time; null: none. */
export function nextDue(model: Lifetime): Due | null {
  const all = lifecycleRules.map((rule) => dueOf(rule, model)).filter((due) => due !== null);
  return all.reduce<Due | null>((first, due) => (first === null || due.at < first.at ? due : first), null);
}

/**
 * The status a reader sees at an instant: never later than the clock, whatever timers have run (design, decision 5).
 */
export function statusAt(model: Lifetime & { readonly status: TaskModelStatus }, at: Date): TaskModelStatus {
  const ended = new Set(
    lifecycleRules
      .map((rule) => dueOf(rule, model))
      .filter((due) => due !== null && due.at <= at)
      .map((due) => due!.becomes),
  );
  return ended.has('deleted') ? 'deleted' : ended.has('expired') ? 'expired' : model.status;
}

function dueOf(
  { becomes, status, mode, unpaid, from, days, waitsForFit, words }: LifecycleRule,
  m: Lifetime,
): Due | null {
  const instant = m[from];
  const applies =
    status.some((each) => each === m.status) &&
    (mode === undefined || mode === m.mode) &&
    (unpaid === undefined || unpaid === (m.unpaidSince !== null)) &&
    !(waitsForFit && m.fitPending);
  return applies && instant ? { becomes, at: new Date(instant.getTime() + days * dayMs), what: words } : null;
}
