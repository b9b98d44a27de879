/** A fraction, 0 to 1, as text in percent with one decimal. */
export const percent = (fraction: number): string => `${Math.round(fraction * 1000) / 10} %`;
