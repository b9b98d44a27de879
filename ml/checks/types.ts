import type { Finding, Trials } from '../types.ts';
import type { Statistics } from './statistics.ts';

/** What the checks look at: trials as they were sent, in microvolts, before resampling. */
export interface Checked {
  readonly trials: Trials;
  /** The declared unit of what was sent. */
  readonly units?: 'uV' | 'mV' | 'V';
  /** One per trial; absent in a prediction. */
  readonly labels?: readonly string[];
  /** One per trial; null where the caller named none. */
  readonly sessions?: readonly (string | null)[] | null;
  /** These are all trials of the fit: no batches follow. */
  readonly whole?: boolean;
}

/** One check: what it finds, or null. `statistics` are those of the trials. */
export type Check = (checked: Checked, statistics: Statistics) => Omit<Finding, 'check'> | null;

/** A finding that no change of the request mends. */
export const told = (message: string): Omit<Finding, 'check'> => ({ message, change: null, remove: null });
