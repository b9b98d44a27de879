import type { newAccountLimits } from './limits.ts';

/**
 * Kinds of quotas. `daily`: an allowance that resets at midnight (UTC). `stored`: an amount that the account stores in
 * the service; deletion frees it at once. `running`: jobs that run now.
 */
export type QuotaKind = 'daily' | 'stored' | 'running';

export interface Quota {
  /** Name of its column, and of its field in `GET /v1/usage`. With dashes it is the option of `account limits`. */
  readonly column: string;
  readonly kind: QuotaKind;
  readonly unit: 'count' | 'bytes';
  /** The counted things, in the plural. */
  readonly words: string;
}

const quota = <Column extends string>(
  column: Column,
  kind: QuotaKind,
  words: string,
  unit: Quota['unit'] = 'count',
): Quota & { readonly column: Column } => ({ column, kind, unit, words });

/** Everything that an account can store, or use without paying. New accounts start with `newAccountLimits`. */
export const quotas = {
  dailyTestCreates: quota('daily_test_creates', 'daily', 'creates with test keys'),
  dailyTestWindows: quota('daily_test_windows', 'daily', 'windows with test keys'),
  collectingModels: quota('collecting_models', 'stored', 'collecting models'),
  testModels: quota('test_models', 'stored', 'fitted models of test keys'),
  liveModels: quota('live_models', 'stored', 'fitted models of live keys'),
  runningFits: quota('running_fits', 'running', 'running fits'),
  batchBytes: quota('batch_bytes', 'stored', 'features of collecting models', 'bytes'),
  storedAnswers: quota('stored_answers', 'stored', 'answers'),
  storedAnswerBytes: quota('stored_answer_bytes', 'stored', 'answers', 'bytes'),
} as const satisfies Partial<Record<keyof typeof newAccountLimits, Quota>>;

export type QuotaName = keyof typeof quotas;
export const quotaNames = Object.keys(quotas) as readonly QuotaName[];

/** The quotas of an account; null: no limit. */
export type AccountQuotas = { readonly [Name in QuotaName]: bigint | null };

/** How much of a quota is used. */
export interface QuotaUse {
  readonly used: bigint;
  /** Null: no limit. */
  readonly limit: bigint | null;
  /** When an allowance resets, or the next part of an amount expires by itself; null: nothing expires. */
  readonly freesAt: Date | null;
}

export type QuotaUses = { readonly [Name in QuotaName]: QuotaUse };

/** A number of bytes for people: `64 KiB`, `1.5 GiB`. */
export function bytesInWords(bytes: number | bigint): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [Number(bytes), 0];
  while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${Number(value.toFixed(1)).toLocaleString('en-US')} ${units[unit]}`;
}
