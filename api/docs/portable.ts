type Json = Record<string, unknown>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Writes a JSON Schema as code generators read it, without changing what it accepts: a tuple of equal parts as a list
 * of that length, and no schema of property names where any text is one. Changes the object that it is given.
 */
export function makePortable(schema: Json): void {
  const { prefixItems, propertyNames } = schema;
  if (Array.isArray(prefixItems) && prefixItems.every((item) => isSame(item, prefixItems[0]))) {
    delete schema.prefixItems;
    Object.assign(schema, {
      items: prefixItems[0] as Json,
      minItems: prefixItems.length,
      maxItems: prefixItems.length,
    });
  }
  if (isSame(propertyNames, { type: 'string' })) delete schema.propertyNames;
}
