import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { mostAnnotations } from '../../infra/recordings/annotation-list.ts';
import { RecordingFault } from '../../infra/recordings/fault.ts';
import { readRecording } from '../../infra/recordings/edf/read-recording.ts';
import { runs, seed } from '../support/counts.ts';
import golden from './golden/recordings.json' with { type: 'json' };

const files = golden.files.map(({ base64 }) => Buffer.from(base64, 'base64'));
const numbers = [
  '0',
  '-1',
  '1',
  '65535',
  '99999999',
  '1e9',
  '1e308',
  '-1e308',
  '1e-300',
  'NaN',
  'Infinity',
  '0x10',
  '',
  '1,5',
];
const bytes = ['\0', '\u0014', '\u0015', '+', '+1\u0014x\u0014\0', '+1e9\u0014', '\u00FF', 'EDF+D', 'BDF+D'];
const cells = [8, 184, 192, 236, 244, 252];
const columns = [
  [0, 16],
  [96, 8],
  [104, 8],
  [112, 8],
  [120, 8],
  [128, 8],
  [216, 8],
] as const;

/** A file with some cells of its header, some of its bytes and its length changed. */
const damagedFile = fc
  .record({
    source: fc.constantFrom(...files),
    fields: fc.array(
      fc.record({
        column: fc.nat(cells.length + columns.length - 1),
        signal: fc.nat(3),
        text: fc.oneof(fc.constantFrom(...numbers), fc.string({ maxLength: 8 })),
      }),
      { maxLength: 2 },
    ),
    spots: fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), text: fc.constantFrom(...bytes) }), {
      maxLength: 3,
    }),
    cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 1 }),
    more: fc.nat(300),
  })
  .map(({ source, fields, spots, cut, more }) => {
    const file = Buffer.concat([source, Buffer.alloc(more, 0x14)]);
    const signals = Number(source.toString('latin1', 252, 256));
    for (const { column, signal, text } of fields) {
      const [before, width] = columns[column - cells.length] ?? [0, 8];
      const at = column < cells.length ? cells[column] : 256 + before * signals + (signal % signals) * width;
      file.write(text.padEnd(width).slice(0, column === 5 ? 4 : width), at, 'latin1');
    }
    for (const { at, text } of spots) file.write(text, Math.floor(at * (file.length - 1)), 'latin1');
    return cut === null ? file : file.subarray(0, Math.floor(cut * file.length));
  });

it('reads or refuses any bytes, within its bounds, and the same way twice', () => {
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(damagedFile, (file) => {
      try {
        const { channels, annotations, seconds } = readRecording(file);
        read++;
        const held = channels.reduce((sum, { values }) => sum + values.byteLength, 0);
        expect(held).toBeLessThanOrEqual(2 * file.length);
        expect(annotations.length).toBeLessThanOrEqual(mostAnnotations(file.length));
        expect(annotations.every(({ onset, duration }) => Number.isFinite(onset) && duration >= 0)).toBe(true);
        expect(Number.isFinite(seconds)).toBe(true);
        for (const { values, rateHz } of channels) {
          expect(rateHz).toBeGreaterThan(0);
          expect(values.every((value) => !Number.isNaN(value))).toBe(true);
        }
      } catch (error) {
        if (!(error instanceof RecordingFault)) throw error;
        refused++;
        expect(error.message).toMatch(/^(?:It|This)[\s\S]+\.$/);
        expect(error.message.length).toBeLessThan(300);
        expect(() => readRecording(file)).toThrow(error.message);
      }
    }),
    { seed: seed(), numRuns: runs(1_000, 10_000) },
  );
  expect(read).toBeGreaterThan(runs(1_000, 10_000) / 20);
  expect(refused).toBeGreaterThan(runs(1_000, 10_000) / 20);
}, 240_000);

it('reads a file of only text ends, or list ends, in time and memory proportional to its size', () => {
  const [plain] = files;
  const signals = Number(plain.toString('latin1', 252, 256));
  const list = Array.from({ length: signals }, (_, i) => i).find((i) =>
    plain.toString('latin1', 256 + 16 * i, 272 + 16 * i).startsWith('EDF Annotations'),
  )!;
  const size = runs(4_000_000, 20_000_000);
  for (const filling of [0x00, 0x14, 0x15, 0x2b]) {
    const file = Buffer.concat([plain.subarray(0, 256 * (signals + 1)), Buffer.alloc(size, filling)]);
    file.write('-1      ', 236);
    file.write(String(Math.floor(size / 2) - 1_000).padEnd(8), 256 + 216 * signals + 8 * list);
    const started = performance.now();
    expect(readRecording(file).annotations).toEqual([]);
    expect(performance.now() - started).toBeLessThan(30_000);
  }
}, 240_000);
