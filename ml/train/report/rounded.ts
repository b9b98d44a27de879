/** Rounds every number of a plain value to four decimals. NaN and infinities become null. */
export function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? Math.round(value * 1e4) / 1e4 : null;
  if (Array.isArray(value)) return value.map(rounded);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, rounded(own)]));
  return value;
}
