import type { Finding, Trials } from '../types.ts';
import type { Statistics } from './statistics.ts';

/** Input of the checks: trials as they were sent, in microvolts, before resampling. */
export interface Checked {
  readonly trials: Trials;
  /** Unit that the caller declared. */
  readonly units?: 'uV' | 'mV' | 'V';
  /** Label of each trial; absent in a prediction. */
  readonly labels?: readonly string[];
  /** Session of each trial; null if the caller named none. */
  readonly sessions?: readonly (string | null)[] | null;
  /** True if these are all trials of the fit, and no batches follow. */
  readonly whole?: boolean;
}

/** One check: returns its finding, or null. `statistics` are those of the trials. */
export type Check = (checked: Checked, statistics: Statistics) => Omit<Finding, 'check'> | null;

/** A finding that no change of the request corrects. */
export const warningOf = (message: string): Omit<Finding, 'check'> => ({ message, change: null, remove: null });
