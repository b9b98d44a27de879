import { expect, it } from 'vitest';
import { repeatedKey } from '../../api/contract/repeated-keys.ts';
import { intake } from '../../api/intake/intake.ts';
import { bytesOf, createBody } from '../support/requests.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it.each([
  ['{"a":1,"a":1}', 'a', '1 and 7'],
  ['{"a":1,"\\u0061":2}', 'a', '1 and 7'],
  ['{"a":{"b":1,"c":[{"d":1},{"e":1,"e":2}]}}', 'a.c[1].e', '26 and 32'],
  ['[[],{"a":"b","c":{"d":[1,2]},"c":0}]', '[1].c', '13 and 29'],
  ['{"":1,"":2}', '', '1 and 6'],
  ['{"__proto__":1,"__proto__":2}', '__proto__', '1 and 15'],
  ['{"a\\"}":{"x":"}"},"a\\"}":1}', 'a"}', '1 and 18'],
])('a name that occurs twice in an object is reported with its place: %s', (text, field, places) => {
  const fault = repeatedKey(bytes(text));
  expect(fault?.field).toBe(field);
  expect(fault?.message).toContain(`at bytes ${places}`);
});

it.each(['{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}', '{"a":"a","b":"a"}', '{"a":["a","a"]}', '[]', '"a"', '{}'])(
  'the same name in different objects, or as a text, is none: %s',
  (text) => {
    expect(repeatedKey(bytes(text))).toBeNull();
  },
);

it.each([
  ['dry_run', (text: string) => text.replace(/}$/, ',"dry_run":true,"dry_run":false}')],
  ['x', (text: string) => text.replace(/}$/, ',"x":[]}')],
  ['labels', (text: string) => text.replace('{', '{"\\u006cabels":[],')],
  [
    'parameters.priors',
    (text: string) => text.replace(/}$/, ',"parameters":{"priors":"as_sent","priors":"balanced"}}'),
  ],
])('a create that sends %s twice is refused', (field, twice) => {
  const read = intake(bytes(twice(JSON.stringify(createBody()))), 'create');
  expect(read.ok ? null : [read.error.code, read.error.field, read.error.alternatives]).toEqual([
    'INVALID_REQUEST',
    field,
    [],
  ]);
});

it('is found after NaN, too, and after base64', () => {
  const nan = JSON.stringify(createBody())
    .replace(/\[\[\[[^,]*/, '[[[NaN')
    .replace(/}$/, ',"name":"a","name":"b"}');
  const base64 = bytesOf(createBody({ x: 'AAAA', shape: [1, 1, 1] }));
  const both = Buffer.concat([base64.subarray(0, -1), bytes(',"shape":null}')]);
  for (const [body, field] of [
    [bytes(nan), 'name'],
    [both, 'shape'],
  ] as const) {
    const read = intake(body, 'create');
    expect(read.ok ? null : read.error.field).toBe(field);
  }
});

it('skips the numbers of x, and takes time in proportion to the rest', () => {
  const many = `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":${at}`).join(',')}}`;
  const started = performance.now();
  expect(repeatedKey(bytes(many))).toBeNull();
  expect(repeatedKey(bytes(`{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`))).toBeNull();
  expect(performance.now() - started).toBeLessThan(5_000);
});
