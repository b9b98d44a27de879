import { escape, prose } from './markup.ts';

/** The parts of a JSON Schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly type?: string | readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** The type of a field, in words. */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variants.map(typeOf).join(' | ');
  if (schema.type === 'array') return `array of ${typeOf(schema.items ?? {})}`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

/** What bounds a field, in words. */
export function limitsOf(schema: Schema): string {
  const inner = schema.anyOf?.find((variant) => variant.type !== 'null') ?? schema;
  const parts = [
    inner.maxLength !== undefined && `at most ${inner.maxLength} characters`,
    inner.maximum !== undefined &&
      inner.maximum < Number.MAX_SAFE_INTEGER &&
      `${inner.minimum ?? inner.exclusiveMinimum} to ${inner.maximum}`,
    inner.maxItems !== undefined && `${inner.minItems === inner.maxItems ? '' : 'at most '}${inner.maxItems} entries`,
    schema.default !== undefined && schema.default !== null && `default ${JSON.stringify(schema.default)}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** Fields inside a field: of an object, of the objects of a list, of those that it may be one of. */
function fieldsIn({ properties, items, anyOf, oneOf }: Schema): Readonly<Record<string, Schema>> {
  const variants = anyOf ?? oneOf ?? [];
  return Object.assign({}, ...variants.map(fieldsIn).toReversed(), items ? fieldsIn(items) : {}, properties);
}

/** What is said of a field, or of what it holds where it is not null. */
const wordsOf = ({ description, anyOf = [] }: Schema): string | undefined =>
  description ?? anyOf.find((variant) => variant.description)?.description;

/** A row for each field, those inside it after it. */
const rowsOf = (schema: Schema, within: string): string[] =>
  Object.entries(fieldsIn(schema)).flatMap(([name, field]) => [
    `<tr><td><code>${escape(within + name)}</code></td>
    <td>${escape(typeOf(field))}</td><td>${schema.required?.includes(name) ? 'required' : ''}</td>
    <td>${prose([wordsOf(field), limitsOf(field)].filter(Boolean).join(' '))}</td></tr>`,
    ...rowsOf(field, `${within}${name}.`),
  ]);

/** The fields of an object as a table; those of named objects stand in tables of their own. */
export const fieldTable = (schema: Schema): string =>
  '<table><thead><tr><th>Field</th><th>Type</th><th></th><th>Meaning</th></tr></thead>' +
  `<tbody>${rowsOf(schema, '').join('')}</tbody></table>`;
