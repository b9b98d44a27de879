import { z } from 'zod';
import type { Random } from '../../../ml/random.ts';
import { hostileValue, pick, whole } from './values.ts';

type Schema = Record<string, any>;

const made = new Map<z.ZodType, Schema>();
const jsonSchema = (schema: z.ZodType): Schema => {
  const known = made.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema);
  made.set(schema, known);
  return known;
};

const letters = Array.from('abcXYZ 0123_-.éß左');
const text = (random: Random, { minLength = 0, maxLength = 40 }: Schema): string =>
  Array.from({ length: minLength + whole(random, Math.min(maxLength, 12) + 1 - Math.min(minLength, 12)) }, () =>
    pick(random, letters),
  ).join('');

const number = (random: Random, { minimum, maximum, exclusiveMinimum, type }: Schema): number => {
  const low = minimum ?? exclusiveMinimum ?? -1e3;
  const high = maximum ?? 1e3;
  const value = pick(random, [low, high, low - 1, high + 1, low + random() * Math.min(high - low, 100)]);
  return type === 'integer' && random() < 0.9 ? Math.round(value) : value;
};

const makers: Readonly<Record<string, (schema: Schema, random: Random, depth: number) => unknown>> = {
  string: (schema, random) =>
    schema.format === 'date-time' || schema.format === 'date'
      ? pick(random, ['2099-01-31', '2099-01-31T12:00:00Z', '2020-01-01', '2099-01-31T12:00:00'])
      : text(random, schema),
  number: (schema, random) => number(random, schema),
  integer: (schema, random) => number(random, schema),
  boolean: (_, random) => random() < 0.5,
  null: () => null,
  array({ items, prefixItems, minItems = 0 }, random, depth) {
    if (prefixItems) return (prefixItems as Schema[]).map((item) => fromJsonSchema(item, random, depth + 1));
    const length = pick(random, [minItems, minItems + 1, minItems + 2, 3, 12, 13]);
    return Array.from({ length }, () => fromJsonSchema(items ?? {}, random, depth + 1));
  },
  object: ({ properties = {}, required = [] }, random, depth) =>
    Object.fromEntries(
      Object.entries(properties as Record<string, Schema>)
        .filter(([key]) => random() < (required.includes(key) ? 0.95 : 0.3))
        .map(([key, value]) => [key, fromJsonSchema(value, random, depth + 1)]),
    ),
};

function fromJsonSchema(schema: Schema, random: Random, depth: number): unknown {
  if (depth > 8 || random() < 0.02) return hostileValue(random);
  if ('const' in schema) return schema.const;
  if (schema.enum) return pick(random, schema.enum as unknown[]);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fromJsonSchema(pick(random, options as Schema[]), random, depth + 1);
  return (makers[schema.type] ?? (() => hostileValue(random)))(schema, random, depth);
}

/** A value that mostly fits a schema, with values at and just beyond its bounds. */
export const fromSchema = (schema: z.ZodType, random: Random): unknown => fromJsonSchema(jsonSchema(schema), random, 0);
