/** The keywords of JSON Schema that the OpenAPI document uses. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

/** The part of an OpenAPI document from which types are generated. */
export interface DescribedSchemas {
  readonly info: { readonly version: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const lineWidth = 120;

/** Other names for components whose names are globals of JavaScript. */
const otherNames: Readonly<Record<string, string>> = { Error: 'ErrorObject' };
const nameOf = (component: string): string => otherNames[component] ?? component;

/** A description as a comment, wrapped at the line width. */
function commentOf(words: string | undefined, indent: string): string {
  if (!words) return '';
  const text = words.replaceAll('*/', '*∕');
  if (`${indent}/** ${text} */`.length <= lineWidth) return `${indent}/** ${text} */\n`;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${indent} * ${last} ${word}`.length <= lineWidth)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Description of a field, or of its first variant that has one. */
const descriptionOf = ({ description, anyOf = [] }: Schema): string | undefined =>
  description ?? anyOf.find((variant) => variant.description)?.description;

function fieldsOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  return Object.entries(properties)
    .map(([name, field]) => {
      const optional = required.includes(name) ? '' : '?';
      const type = typeOf(field, inner);
      const named = `${inner}readonly ${name}${optional}:${type.startsWith('\n') ? '' : ' '}${type};\n`;
      return commentOf(descriptionOf(field), inner) + named;
    })
    .join('');
}

function objectOf(schema: Schema, indent: string): string {
  const { properties, additionalProperties: others } = schema;
  const fields = fieldsOf(schema, indent);
  const index = typeof others === 'object' ? typeOf(others, `${indent}  `) : null;
  if (!properties && index) return `Readonly<Record<string, ${index}>>`;
  const open = index ? `${indent}  readonly [name: string]: unknown;\n` : '';
  return fields || open ? `{\n${fields}${open}${indent}}` : 'Readonly<Record<string, never>>';
}

function unionOf(parts: readonly string[], indent: string): string {
  const union = [...new Set(parts)].join(' | ');
  const wide = indent.length + union.length > lineWidth - 40 && !union.includes('\n');
  return wide ? `\n${parts.map((part) => `${indent}  | ${part}\n`).join('')}`.trimEnd() : union;
}

const listOf = (items: string): string => (/^\w+$/.test(items) ? `readonly ${items}[]` : `readonly (${items})[]`);

/** The TypeScript type of a schema; `indent` is the indentation of its lines. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1)!);
  if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
  if (schema.enum)
    return unionOf(
      schema.enum.map((value) => JSON.stringify(value).replaceAll('"', "'")),
      indent,
    );
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants)
    return unionOf(
      variants.map((variant) => typeOf(variant, indent)),
      indent,
    );
  if (schema.type === 'array') return listOf(typeOf(schema.items ?? {}, indent));
  if (schema.type === 'object') return objectOf(schema, indent);
  return (
    unionOf(
      [schema.type ?? []].flat().map((type) => primitives[type]),
      indent,
    ) || 'unknown'
  );
}

/** The text of a module with the TypeScript types of every component of the OpenAPI document. */
export function typesOf({ info, components }: DescribedSchemas): string {
  const declared = Object.entries(components.schemas).map(([component, schema]) => {
    const name = nameOf(component);
    const body = typeOf(schema, '');
    const comment = commentOf(schema.description, '');
    return body.startsWith('{')
      ? `${comment}export interface ${name} ${body}\n`
      : `${comment}export type ${name} = ${body};\n`;
  });
  return [
    `/** Generated from the OpenAPI document, version ${info.version}, by \`npm run client-types\`. Do not edit. */\n`,
  ]
    .concat(declared)
    .join('\n');
}
