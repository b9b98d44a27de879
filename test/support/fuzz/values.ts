import type { Random } from '../../../ml/random.ts';

export const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)];
export const whole = (random: Random, below: number): number => Math.floor(random() * below);

/** Text that goes into JSON as it stands, where a value belongs. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const texts = [
  '',
  ' ',
  '0',
  'null',
  'true',
  'NaN',
  '\u0000',
  '\u0001\u0002\u001f',
  '\u007f',
  '\ud800',
  '\udc00x',
  '\u2028',
  '\ufeff',
  '\u202e',
  'é',
  'e\u0301',
  'Ｃ３',
  '🧠'.repeat(30),
  '\\',
  '"',
  '\\"'.repeat(40),
  '\\u0000',
  '../../etc/passwd',
  "'; DROP TABLE accounts; --",
  '{{7*7}}',
  '${jndi:ldap://x}',
  '%s%n%x',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'EEG Fpz-REF',
  'POL C3',
  'T3',
  'T7',
  'A1',
  'E128',
  'EOG',
  'C3-C4',
  'constructor ',
  'uv',
  'V',
  '1e400',
  '2027-01-31',
  '2027-13-45',
  '2027-01-31T12:00:00',
  '9999-12-31T23:59:59Z',
  '-271821-04-20',
  'AAAA',
  'AAAAgD8=',
  '====',
  'emotion recognition',
  'happy',
  'subject 1',
  'detect '.repeat(14),
  'recognise the of a an '.repeat(4),
  'a'.repeat(101),
  'depress '.repeat(12),
] as const;
const numbers = [
  0,
  -0,
  1,
  -1,
  2,
  0.5,
  1e-320,
  1e-7,
  0.1,
  3.3333333333,
  63.9,
  64,
  100,
  128,
  250,
  256,
  257,
  511.99,
  512,
  4095,
  4096,
  4097,
  1e5,
  4e6,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e16,
  1e38,
  3.5e38,
  1e300,
  -1e300,
] as const;
const raws = [
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '-1e999',
  '0x10',
  '01',
  '.5',
  '1.',
  '+1',
  '1_000',
  'undefined',
  'True',
  'None',
  'nan',
  "'a'",
  '{',
  '}',
  '[',
  ']',
  ',',
  '[,]',
  '{,}',
  '[1,]',
  '"a',
  '"\\u12"',
  '"\\x"',
  '"\\ud800"',
  '/**/1',
  '123456789012345678901234567890',
  '-',
  '1e',
  '1E+5',
  '""""',
  '{"a":1,"a":2}',
  '[[[[]]]]',
] as const;

/** A value such as callers never mean to send. */
export function hostileValue(random: Random): unknown {
  const kind = random();
  if (kind < 0.3) return pick(random, texts);
  if (kind < 0.55) return pick(random, numbers);
  if (kind < 0.65) return new Raw(pick(random, raws));
  if (kind < 0.8)
    return pick<unknown>(random, [null, true, false, [], {}, [[]], [[[]]], [{}], { length: 3 }, { 0: 1 }]);
  if (kind < 0.87)
    return Array.from({ length: 1 + whole(random, 40) }, () => pick<unknown>(random, [...texts, ...numbers, null]));
  if (kind < 0.91) return pick(random, texts).repeat(1 + whole(random, 2_000));
  if (kind < 0.94) return new Raw(nestedText(1 + whole(random, 20_000), random));
  if (kind < 0.97)
    return Object.fromEntries(
      Array.from({ length: whole(random, 300) }, (_, at) => [`${pick(random, texts).slice(0, 20)}${at}`, at]),
    );
  return pick(random, texts);
}

/** Deeply nested arrays or objects, closed or not. */
function nestedText(depth: number, random: Random): string {
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    ['[[],', ']'],
  ] as const);
  return open.repeat(depth) + (open.endsWith(':') ? '1' : '') + (random() < 0.8 ? close.repeat(depth) : '');
}
