/**
 * Histories as JSON files: 64-bit integers as numbers, bytes as `{"$bytes": base64}`, enums as their numbers, absent
 * fields and stack traces left out.
 */
export const historyToText = (history: object): string => `${JSON.stringify(plain(history))}\n`;

export const historyFromText = (text: string): object =>
  JSON.parse(text, (_, value: unknown) =>
    isBytes(value) ? new Uint8Array(Buffer.from(value.$bytes, 'base64')) : value,
  ) as object;

function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  if ('toNumber' in value && typeof value.toNumber === 'function') return value.toNumber();
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([key, each]) => [key, key === 'stackTrace' ? '' : plain(each)]),
  );
}

const isBytes = (value: unknown): value is { $bytes: string } =>
  typeof value === 'object' && value !== null && '$bytes' in value;
