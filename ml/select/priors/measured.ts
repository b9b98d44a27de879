import type { TaskKind } from '../../types.ts';
import table from './measured.json' with { type: 'json' };

/** What each method reached on later trials of people with so many own trials and channels. */
export interface MeasuredCell {
  readonly kind: TaskKind;
  /** True if the classes are flicker frequencies. */
  readonly flicker: boolean;
  readonly trials: number;
  readonly channels: number;
  readonly people: number;
  /**
   * Standard deviation of one method's log-loss over people, nats, as differences between two methods show it: the
   * median over the pairs, without the part that the number of tested trials explains, divided by √2. The spread of a
   * single method is too uncertain, and methods that work for few people would count as promising.
   */
  readonly spread: number;
  readonly methods: Readonly<Record<string, Measured>>;
}

export interface Measured {
  /** Mean log-loss above that of the best method of the cell, nats. */
  readonly behind: number;
  /** Mean balanced accuracy. No choice reads it. */
  readonly balancedAccuracy: number;
}

/** The table that `npm run bench -- prior` writes. */
export const measured: readonly MeasuredCell[] = table.cells as unknown as readonly MeasuredCell[];
