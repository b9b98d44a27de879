import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../api/docs/openapi.ts';
import { operations } from '../../api/routes/routes.ts';

const document: any = JSON.parse(JSON.stringify(openApiDocument(operations)));

interface Found {
  readonly path: string;
  readonly schema: any;
}

/** Every schema within a schema, with its path. Names of properties are no keywords. */
function schemasIn(schema: any, path: string): Found[] {
  const inner = (value: any, name: string): Found[] =>
    Array.isArray(value)
      ? value.flatMap((item, at) => schemasIn(item, `${path}.${name}${at}`))
      : schemasIn(value, `${path}.${name}`);
  return [
    { path, schema },
    ...['items', 'anyOf', 'oneOf', 'allOf', 'prefixItems', 'additionalProperties', 'propertyNames', 'not']
      .filter((keyword) => typeof schema?.[keyword] === 'object')
      .flatMap((keyword) => inner(schema[keyword], keyword)),
    ...Object.entries(schema?.properties ?? {}).flatMap(([name, field]) => inner(field, name)),
  ];
}

const components: Record<string, any> = document.components.schemas;
const all = Object.entries(components).flatMap(([name, schema]) => schemasIn(schema, name));
const contents = Object.values<any>(document.paths)
  .flatMap((path) => Object.values<any>(path))
  .flatMap(({ operationId, requestBody, responses }) => [
    ...(requestBody ? [{ path: `${operationId} body`, content: requestBody.content }] : []),
    ...Object.entries<any>(responses).map(([status, { content }]) => ({ path: `${operationId} ${status}`, content })),
  ]);

/** What holds any JSON by its nature: fixes of an error, changes of a request, what an estimate returned, details. */
const open = [
  'CreateRequest.x',
  'BatchRequest.x',
  'PredictRequest.x',
  'Change.additionalProperties',
  'Error.details.additionalProperties',
  'Finding.change.anyOf0.additionalProperties',
  'ZeroShotRequest.reference_classes.anyOf0.additionalProperties',
];

describe('/openapi.json as code generators read it', () => {
  it('gives no object as a default, because generators then leave the whole request out', () => {
    const objects = all.filter(({ schema }) => typeof schema.default === 'object' && schema.default !== null);
    expect(objects.map(({ path }) => path)).toEqual([]);
  });

  it('has no tuples, false schemas or schemas of property names', () => {
    const text = JSON.stringify(document);
    for (const keyword of ['"items":false', '"prefixItems":', '"propertyNames":', '"patternProperties":', '"$defs":'])
      expect(text).not.toContain(keyword);
  });

  it('describes the content of every list and schema, except those that may be any JSON', () => {
    const untyped = all.filter(
      ({ schema }) => !['type', '$ref', 'anyOf', 'oneOf', 'const', 'enum'].some((keyword) => keyword in schema),
    );
    expect(untyped.map(({ path }) => path).filter((path) => !open.includes(path))).toEqual([]);
    const lists = all.filter(({ schema }) => schema.type === 'array' && typeof schema.items !== 'object');
    expect(lists.map(({ path }) => path)).toEqual([]);
  });

  it('names every body of requests and answers, and every component is used', () => {
    for (const { path, content } of contents) {
      const { schema } = content['application/json'];
      expect(Object.keys(schema), path).toEqual(['$ref']);
      expect(components, path).toHaveProperty(schema.$ref.replace('#/components/schemas/', ''));
    }
    const text = JSON.stringify(document);
    const unused = Object.keys(components).filter((name) => !text.includes(`"#/components/schemas/${name}"`));
    expect(unused).toEqual([]);
  });

  it('gives every operation and every component a unique identifier as its name', () => {
    const ids = Object.values<any>(document.paths).flatMap((path) =>
      Object.values<any>(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const name of [...ids, ...Object.keys(components)]) expect(name).toMatch(/^[A-Za-z][A-Za-z0-9]*$/);
  });

  it('keeps the length of tuples of the schemas', () => {
    const [shape] = components.CreateRequest.properties.shape.anyOf;
    expect(shape).toMatchObject({ type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 3, maxItems: 3 });
    const [positions] = components.CreateRequest.properties.positions.anyOf;
    expect(positions.items).toMatchObject({ type: 'array', items: { type: 'number' }, minItems: 3, maxItems: 3 });
  });

  it('describes times by one pattern for dates and date-times', () => {
    const { type, pattern, description } = components.PatchRequest.properties.expires_at.anyOf[0];
    expect([type, description]).toEqual(['string', expect.stringContaining('ISO 8601')]);
    const taken = new RegExp(pattern);
    for (const text of ['2028-02-29', '2027-01-01T10:00:00Z', '2027-01-01T10:00:00.5+02:00', '2027-01-01T10:00:00'])
      expect(text).toMatch(taken);
    for (const text of ['2027-02-29', '2027-01-01 10:00', '2027-01-01T25:00:00Z', 'soon', '', '2027-01-01x'])
      expect(text).not.toMatch(taken);
  });
});
