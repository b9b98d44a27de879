import { describe, expect, it } from 'vitest';
import { boundProblems } from '../../api/intake/bounds.ts';
import { parseBody } from '../../api/intake/parse.ts';
import { nameIn, scan } from '../../api/intake/scan.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sizes = (text: string) => {
  const all = bytes(text);
  const { values, depth, text: texts, ...rest } = scan(all);
  const named = ({ key, amount }: typeof values) => [key && nameIn(all, key), amount];
  return { ...rest, values: named(values), depth: named(depth), text: named(texts) };
};
const problems = (text: string) => boundProblems(scan(bytes(text)), bytes(text)).map(({ field }) => field);

describe('the sizes of a body', () => {
  it('counts trials, rows and numbers of x apart from all else', () => {
    const { x, total } = sizes('{"a":[1,2],"x":[[[1,2,3],[4,5,6]],[[7,8,9],[1,2,3]]],"b":"text"}');
    expect(x).toEqual({ depth: 3, trials: 2, rows: 4, numbers: 12, text: 0, innerText: 0, span: null });
    expect(total).toBe(2);
  });

  it('names the field with the most values, the deepest, and the one with the longest text', () => {
    expect(sizes('{"a":[1,2,3,4],"b":{"c":[[0]]},"c":"long text","d":["short"]}')).toMatchObject({
      fields: 4,
      values: ['a', 4],
      depth: ['b', 3],
      text: ['c', 9],
    });
  });

  it('ignores structure inside texts', () => {
    const { x, values, depth, fields } = sizes('{"a\\"}":"[[[,,,{\\\\","x":["]],\\"[["],"b":"\\\\\\""}');
    expect({ x, values, depth, fields }).toMatchObject({
      x: { depth: 1, trials: 1, rows: 0, innerText: 7 },
      values: [null, 0],
      depth: [null, 0],
      fields: 3,
    });
  });

  it('recognises x only by its name, in any notation', () => {
    expect(sizes('{"\\u0078":"abc"}').x.text).toBe(3);
    expect(sizes('{"y":"abc","xx":"abcd","a":{"x":"abcde"}}').x.text).toBe(0);
    expect(sizes('{ "x" : "abc" }').x.text).toBe(3);
  });

  it('returns the position of x, if x occurs once', () => {
    const spanned = (text: string) => {
      const { span } = sizes(text).x;
      return span && text.slice(...span);
    };
    expect(spanned('{"a":"b","x":"abc","c":{"x":"d"}}')).toBe('abc');
    expect(spanned('{"x":""}')).toBe('');
    expect(spanned('{"x":"abc","x":[1]}')).toBeNull();
    expect(spanned('{"x":["abc"]}')).toBeNull();
  });

  it('work for input that is no object, or no JSON', () => {
    expect(sizes('[[],[],[[]]]')).toMatchObject({ fields: 0, values: [null, 6] });
    expect(sizes('{"a":[1,2').values).toEqual(['a', 2]);
    expect(sizes('{"a":"text without an end').text).toEqual(['a', 19]);
    expect(sizes(']]]{"a":[[').depth).toEqual(['a', 2]);
    expect(sizes('').fields).toBe(0);
    expect(sizes('"\\').fields).toBe(0);
  });

  it('detects bare NaN and Infinity, but not words or texts that contain them', () => {
    const text = '{"x":[NaN,-Infinity,Infinity,"NaN",NaNa,xNaN]}';
    const { notNumbers } = scan(bytes(text));
    const found = notNumbers.flatMap((from, at) => (at % 2 ? [] : [text.slice(from, notNumbers[at + 1])]));
    expect(found).toEqual(['NaN', '-Infinity', 'Infinity']);
  });
});

describe('the bounds of a body', () => {
  it('accept everything that the interface allows', () => {
    const names = JSON.stringify(Array.from({ length: 4_096 }, (_, at) => `${at}`));
    const rows = Array.from({ length: 4_096 }, () => `[${'[1],'.repeat(3)}[1]]`).join(',');
    const five = ['labels', 'sessions', 'a', 'b', 'c'].map((field) => `"${field}":${names}`).join(',');
    expect(problems(`{"x":[${rows}],${five},"name":"${'\\ud83e\\udde0'.repeat(200)}"}`)).toEqual([]);
  });

  it.each([
    [`{"description":"${'a'.repeat(16_385)}"}`, ['description']],
    [`{"labels":[${'1,'.repeat(200_001)}1]}`, ['labels']],
    [`{"x":${'['.repeat(9)}${']'.repeat(9)}}`, ['x']],
    [`{"positions":${'['.repeat(9)}${']'.repeat(9)}}`, ['positions']],
    [`{${'"a":1,'.repeat(1_001)}"b":2}`, ['body']],
  ])('refuse larger values, and name the field', (text, fields) => {
    expect(problems(text)).toEqual(fields);
  });
});

it('reads NaN and Infinity as texts at their positions, and reports that they are not JSON', () => {
  const body = bytes('{"é":"NaN","x":[NaN,1,-Infinity]}');
  expect(parseBody(body, scan(body))).toEqual({
    ok: true,
    value: { é: 'NaN', x: ['NaN', 1, '-Infinity'] },
    notJson: 'NaN',
  });
});
