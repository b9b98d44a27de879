import { mean } from '../tables.ts';

/** A difference of two scores on the same trials. */
export interface Paired {
  readonly difference: number;
  /** Standard error; NaN of one person. */
  readonly error: number;
  readonly persons: number;
}

/**
 * Mean over persons of the mean difference on each one's splits. The splits of a person hold the same trials, so only
 * persons count as independent.
 */
export function paired(values: readonly { readonly person: string; readonly difference: number }[]): Paired {
  const byPerson = [...Map.groupBy(values, ({ person }) => person).values()].map((own) =>
    mean(own.map(({ difference }) => difference)),
  );
  const centre = mean(byPerson);
  const spread = byPerson.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (byPerson.length - 1);
  return { difference: centre, error: Math.sqrt(spread / byPerson.length), persons: byPerson.length };
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;

/** `−0.123 ± 0.045` */
export const shown = ({ difference, error }: Paired): string =>
  Number.isNaN(difference) ? '' : `${signed(difference)} ± ${Number.isNaN(error) ? '?' : error.toFixed(3)}`;

/** Whether a difference is more than two of its standard errors: −1, 0 or 1. */
export const direction = ({ difference, error }: Paired): number =>
  Math.abs(difference) > 2 * error ? Math.sign(difference) : 0;
