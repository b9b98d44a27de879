import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { readBase64 } from '../../api/intake/base64.ts';
import { scan } from '../../api/intake/scan.ts';
import { runs, seed } from '../support/counts.ts';

const float32 = (values: readonly number[]): Buffer => Buffer.from(new Float32Array(values).buffer);
const read = (x: string, values: number, scale = 1) =>
  readBase64(x, { x, shape: [1, 1, values], scale, channels: 1, labels: null });

/** What base64 is, in words of RFC 4648: characters of the alphabet, then padding to fours or none. */
function isBase64(text: string): boolean {
  const [, characters = '', padding = ''] = /^(.*?)(={0,2})$/s.exec(text)!;
  if (!/^[A-Za-z0-9+/]*$/.test(characters) || characters.length % 4 === 1) return false;
  return padding === '' || text.length % 4 === 0;
}

/** Microvolts as an amplifier gives them: less than its steps, or zeros in between, are told as another number type. */
const microvolts = fc.integer({ min: -500_000, max: 500_000 }).map((steps) => Math.fround((steps || 1) / 1000));
const values = fc.array(microvolts, { minLength: 1, maxLength: 40 });
/** What lenient decoders pass over, read as others, or stop at; the lower byte of some is of the alphabet. */
const odd = fc.constantFrom(
  ...Array.from('-_=,A\n\t\f \0\x7f\u0080éÿĀŁłī\u2f41\u4e2b\ufeff漢\ud83e\udde0\ud83e\udd41'),
  '\ud83e',
  '\udd41',
  '==',
  '\r\n',
  'AB',
  'AAA',
);
/** Where something is put into a text, and how many characters it takes the place of; -1: the text ends there. */
const change = fc.tuple(fc.nat(), odd, fc.constantFrom(0, 1, 2, -1));
const changedBy = (text: string, [at, put, instead]: readonly [number, string, number]): string => {
  const place = at % (text.length + 1);
  return text.slice(0, place) + (instead < 0 ? '' : put + text.slice(place + instead));
};
/** What is wrong with a text that is to hold more values than it does. */
const faultOf = (text: string): string => read(text, 1_000_003).problems[0].message;

describe('base64', () => {
  it('is read exactly if every character is valid, and refused otherwise', () => {
    fc.assert(
      fc.property(
        values,
        fc.nat(),
        fc.option(odd),
        fc.boolean(),
        fc.boolean(),
        (numbers, at, one, instead, unpadded) => {
          const whole = float32(numbers).toString('base64');
          const text = unpadded ? whole.replaceAll('=', '') : whole;
          const place = at % (text.length + 1);
          const changed = one === null ? text : text.slice(0, place) + one + text.slice(place + Number(instead));
          const { data, problems } = read(changed, numbers.length);
          if (!isBase64(changed)) {
            expect(data).toBeNull();
            expect(problems[0].message).toMatch(/^x is (not base64|an empty string)/);
          } else if (changed === text) expect(data).toEqual(new Float32Array(numbers));
          else expect(problems.every(({ message }) => !message.startsWith('x is not base64'))).toBe(true);
        },
      ),
      { numRuns: runs(400, 20_000), seed: seed() },
    );
  });

  it('is recognised by its characters and their number, in any order and frequency', () => {
    const encoded = fc
      .uint8Array({ minLength: 1, maxLength: 70 })
      .map((bytes) => Buffer.from(bytes).toString('base64'));
    const pieced = fc.array(fc.oneof(fc.constantFrom('A', 'b', '9', '+', '/', '='), odd), {
      minLength: 1,
      maxLength: 9,
    });
    const texts = fc.oneof(
      encoded,
      encoded.map((text) => text.replaceAll('=', '')),
      pieced.map((parts) => parts.join('')),
    );
    const seen = { taken: 0, refused: 0 };
    fc.assert(
      fc.property(texts, fc.array(change, { maxLength: 2 }), fc.nat(60), (text, changes, blocks) => {
        const changed = changes.reduce(changedBy, 'q83v'.repeat(blocks) + text);
        if (changed === '') return;
        const fault = faultOf(changed);
        const characters = changed.replace(/={1,2}$/, '');
        const wrong = characters.search(/[^A-Za-z0-9+/]/);
        seen[isBase64(changed) ? 'taken' : 'refused'] += 1;
        if (isBase64(changed)) expect(fault).toMatch(`x holds ${Math.floor((characters.length * 3) / 4)} bytes;`);
        else if (wrong < 0)
          expect(fault).toBe(`x is not base64: ${changed.length} characters are not a whole number of bytes.`);
        else {
          // Of a short copy: `codePointAt` of Node 24 reads beyond the end of a string that is a slice of another.
          const [first] = characters.slice(wrong, wrong + 2);
          const character = JSON.stringify(first);
          expect(fault).toContain(`x is not base64: character ${wrong} is ${character}. Use the standard alphabet`);
        }
      }),
      { numRuns: runs(2_000, 200_000), seed: seed() },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(300);
  });

  it.each(['Ł', 'ł', '\u2f41'])('is not %s, whose lower byte is of the alphabet, at any place of a text', (one) => {
    const text = float32([1, 2, 3, 4, 5]).toString('base64');
    for (let place = 0; place < text.length - 1; place += 1)
      expect(faultOf(text.slice(0, place) + one + text.slice(place + 1))).toContain(`character ${place} is "${one}"`);
  });

  it('ignores bits after the last byte, as before', () => {
    const text = float32([1, 2]).toString('base64');
    expect(text).toMatch(/A=$/);
    expect(read(text.replace(/A=$/, 'B='), 2).data).toEqual(new Float32Array([1, 2]));
    expect(read(text.replace(/A=$/, 'B'), 2).data).toEqual(new Float32Array([1, 2]));
  });

  it('is compared to its last character where it is long', () => {
    const numbers = Array.from({ length: 30_000 }, (_, i) => Math.fround(Math.sin(i) * 50));
    const text = float32(numbers).toString('base64');
    expect(read(text, numbers.length).data).toEqual(new Float32Array(numbers));
    for (const place of [65_535, 65_536, 65_537, 131_072, text.length - 1]) {
      const changed = `${text.slice(0, place)}-${text.slice(place + 1)}`;
      const { data, problems } = read(changed, numbers.length);
      expect(data).toBeNull();
      expect(problems[0].message).toContain(`character ${place.toLocaleString('en')} is "-"`);
    }
  });

  it('names the first invalid character, whatever else is wrong', () => {
    const text = `${'A'.repeat(20)}-${'A'.repeat(20)}_`;
    expect(read(text, 8).problems[0].message).toContain('character 20 is "-"');
  });

  it.each([Number.NaN, Infinity, -Infinity])('names the position of %s', (value) => {
    const numbers = Array.from({ length: 100 }, (_, at) => (at === 2 ? value : at));
    const { data, problems } = read(float32(numbers).toString('base64'), 100);
    expect(data).toBeNull();
    expect(problems).toEqual([
      { field: 'x[0][0][2]', message: `x[0][0][2] is ${value}; every value must be a finite number.` },
    ]);
  });

  it('scales to microvolts, and names values that float32 cannot represent', () => {
    expect(read(float32([1, -2.5]).toString('base64'), 2, 1e6).data).toEqual(new Float32Array([1e6, -2.5e6]));
    expect(read(float32([1, 2e9, 3]).toString('base64'), 3, 1e30).problems[0].message).toContain('beyond what float32');
  });
});

describe('a string in a body', () => {
  it('ends where its JSON string ends, however long it is and whatever it escapes', () => {
    const part = fc.oneof(fc.constantFrom('\\', '"', 'é', '\n', '🧠'), fc.string({ maxLength: 80 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(200), (parts, padding) => {
        const text = JSON.stringify('a'.repeat(padding) + parts.join(''));
        const bytes = Buffer.from(`{"note":${text},"x":"abc"}`);
        const { fields, text: longest, x } = scan(bytes);
        expect([fields, longest.amount, x.text]).toEqual([2, Buffer.byteLength(text) - 2, 3]);
      }),
      { numRuns: runs(300, 10_000), seed: seed() },
    );
  });
});
