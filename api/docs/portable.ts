type Json = Record<string, unknown>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const isPatterned = (schema: unknown): schema is { pattern: string } =>
  (schema as Json).type === 'string' && typeof (schema as Json).pattern === 'string';

/**
 * Rewrites a JSON Schema for code generators without changing what it accepts: a tuple of equal parts becomes a list of
 * fixed length, alternative patterns become one pattern, numbers get the format `double`, and a schema of property
 * names that accepts every text is removed. Changes its argument.
 */
export function makePortable(schema: Json): void {
  const { prefixItems, propertyNames, anyOf } = schema;
  if (Array.isArray(prefixItems) && prefixItems.every((item) => isSame(item, prefixItems[0]))) {
    delete schema.prefixItems;
    Object.assign(schema, {
      items: prefixItems[0] as Json,
      minItems: prefixItems.length,
      maxItems: prefixItems.length,
    });
  }
  if (Array.isArray(anyOf) && anyOf.every(isPatterned)) {
    delete schema.anyOf;
    Object.assign(schema, { type: 'string', pattern: anyOf.map(({ pattern }) => `(?:${pattern})`).join('|') });
  }
  if (schema.type === 'number') schema.format = 'double';
  if (isSame(propertyNames, { type: 'string' })) delete schema.propertyNames;
}
