import { describe, expect, it } from 'vitest';
import { mostAnnotations } from '../../infra/recordings/annotation-list.ts';
import { RecordingFault } from '../../infra/recordings/fault.ts';
import { readRecording } from '../../infra/recordings/edf/read-recording.ts';
import type { Recording } from '../../infra/recordings/recording.ts';
import { writeEdf } from '../support/write-edf.ts';
import golden from './golden/recordings.json' with { type: 'json' };

const voltsPer: Readonly<Record<string, number>> = { uV: 1e-6, mV: 1e-3, V: 1 };

describe.each(golden.files)('$name, against MNE-Python', ({ base64, expected }) => {
  const recording: Recording = readRecording(Buffer.from(base64, 'base64'));

  it('has the same values, in the units of the file', () => {
    for (const [label, volts] of Object.entries(expected.volts as unknown as Record<string, number[]>)) {
      const channel = recording.channels.find((each) => each.label === label)!;
      expect(channel.rateHz).toBe(expected.rateHz);
      const own = volts.map((_, i) => channel.values[7 * i] * voltsPer[channel.unit]);
      const largest = Math.max(...volts.map(Math.abs));
      own.forEach((value, i) => expect(Math.abs(value - volts[i]) / largest).toBeLessThan(2e-7));
    }
  });

  it('has the same annotations, or events of its status channel', () => {
    const events = 'events' in expected ? (expected.events as number[][]) : null;
    expect(recording.annotations.map(({ onset, duration, text }) => [onset, duration, text])).toEqual(
      events ? events.map(([sample, value]) => [sample / expected.rateHz, 0, String(value)]) : expected.annotations,
    );
  });
});

const file = writeEdf({
  rateHz: 8,
  channels: [
    { label: 'Cz', unit: 'uV', values: Array.from({ length: 24 }, (_, i) => i) },
    { label: 'Pz', unit: 'uV', values: Array.from({ length: 24 }, (_, i) => -i) },
  ],
  annotations: [{ onset: 0.5, duration: 1, text: 'T1' }],
});
const signals = 3;
/** The file with text written over it. */
const patched = (at: number, text: string, source = file): Uint8Array => {
  const bytes = source.slice();
  bytes.set(Buffer.from(text, 'latin1'), at);
  return bytes;
};
/** Where a column of the header holds the cell of a signal. */
const cell = (before: number, width: number, signal: number): number => 256 + before * signals + signal * width;
const dataAt = 256 * (signals + 1);
const recordBytes = 2 * 2 * 8 + 120;
const noteAt = (record: number): number => dataAt + record * recordBytes + 32;

describe('a file that cannot be read is refused with the problem and its numbers', () => {
  it.each<[string, string, Uint8Array]>([
    ['not_a_recording', 'not an EDF or BDF file', new Uint8Array(300)],
    ['not_a_recording', 'not an EDF or BDF file', new Uint8Array(0)],
    ['not_a_recording', 'not an EDF or BDF file', patched(0, '1')],
    ['cut_short', 'a header has 256 bytes and the file 100', file.subarray(0, 100)],
    ['cut_short', 'its header has 1024 bytes and the file 600', file.subarray(0, 600)],
    ['no_data', '-1 data records are declared and 0 are there', patched(236, '-1      ').subarray(0, dataAt + 10)],
    ['damaged_header', 'the number of data records is -2', patched(236, '-2      ')],
    ['damaged_header', 'the number of signals is 0', patched(252, '0   ')],
    ['damaged_header', '9999 signals need 2560000 header bytes and 1024 are declared', patched(252, '9999')],
    ['damaged_header', 'the number of signals is "many"', patched(252, 'many')],
    ['damaged_header', '3 signals need 1024 header bytes and 99999999 are declared', patched(184, '99999999')],
    ['damaged_header', 'the length of a data record is "NaN", not a number', patched(244, 'NaN     ')],
    ['damaged_header', 'its data records last -1 s', patched(244, '-1      ')],
    ['damaged_header', 'signal 1 (Cz) has 8 samples in data records of 0 s', patched(244, '0       ')],
    ['damaged_header', 'signal 1 (Cz) has 8 samples in data records of 1e-9 s', patched(244, '1e-9    ').slice()],
    ['damaged_header', 'the samples in a data record of signal 2 (Pz) is 0', patched(cell(216, 8, 1), '0       ')],
    ['damaged_header', 'the samples in a data record of signal 2 (Pz) is 1.5', patched(cell(216, 8, 1), '1.5     ')],
    ['damaged_header', 'the samples in a data record of signal 2 (Pz) is -8', patched(cell(216, 8, 1), '-8      ')],
    ['cut_short', '3 data records are declared and 0 are there', patched(cell(216, 8, 1), '900000  ')],
    ['damaged_header', 'the range of signal 1 (Cz) is "nan"', patched(cell(104, 8, 0), 'nan     ')],
    ['damaged_header', 'the range of signal 1 (Cz) is "1e999"', patched(cell(112, 8, 0), '1e999   ')],
    ['damaged_header', 'the range of signal 1 (Cz) is "", not a number', patched(cell(120, 8, 0), '        ')],
    [
      'discontinuous',
      'data record 3 of 3 begins at 1 s where 2 s or later would be right',
      patched(noteAt(2), '+1', patched(192, 'EDF+D')),
    ],
    ['discontinuous', 'data record 2 of 3 begins at no known time', patched(noteAt(1), 'xx', patched(192, 'EDF+D'))],
    [
      'discontinuous',
      'no annotation keeps its time',
      patched(cell(0, 16, 2), 'Oz              ', patched(192, 'EDF+D')),
    ],
  ])('%s: %s', (fault, message, bytes) => {
    let thrown: unknown;
    try {
      readRecording(bytes);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(RecordingFault);
    expect(thrown).toMatchObject({ fault, message: expect.stringContaining(message) });
  });

  it('shows only printable characters of a label, and nothing about the recorded person', () => {
    const bytes = patched(
      8,
      'Jane Roe',
      patched(cell(0, 16, 0), '\u001B[2J\u0007x', patched(cell(104, 8, 0), 'nan     ')),
    );
    expect(() => readRecording(bytes)).toThrow(/signal 1 \(\?\[2J\?x\)/);
    expect(() => readRecording(bytes)).not.toThrow(/Jane/);
  });

  it('refuses more annotations than a file of its size can have', () => {
    const bomb = (annotations: number): Uint8Array => {
      const list = `+0\u0014\u0014\0+0\u0014${'a\u0014'.repeat(annotations)}\0`;
      const bytes = list.length + (list.length % 2);
      const bare = patched(236, '1       ', patched(cell(216, 8, 2), String(bytes / 2).padEnd(8)));
      return new Uint8Array(Buffer.concat([bare.subarray(0, dataAt + 32), Buffer.from(list.padEnd(bytes, '\0'))]));
    };
    const most = mostAnnotations(bomb(10_000).length);
    expect(readRecording(bomb(10_000)).annotations).toHaveLength(10_000);
    const bytes = bomb(most + 400);
    expect(() => readRecording(bytes)).toThrow(`more than ${mostAnnotations(bytes.length)} annotations`);
  });
});

describe('a file that is odd is read', () => {
  it('EDF+D without a gap is continuous', () => {
    expect(readRecording(patched(192, 'EDF+D'))).toEqual(readRecording(file));
  });

  it.each([
    ['-1      ', file, 3, []],
    ['99999999', file, 3, ['Its header promises 99999999 data records and 3 are there']],
    ['0       ', file, 3, ['Its header promises 0 data records and 3 are there']],
    ['2       ', file, 3, ['Its header promises 2 data records and 3 are there']],
    ['3       ', file.subarray(0, file.length - 1), 2, ['Its header promises 3 data records and 2 are there']],
  ])('counts the data records by the length of the file: %s', (declared, source, seconds, told) => {
    const { seconds: read, notices } = readRecording(patched(236, declared, source));
    expect([read, notices.length]).toEqual([seconds, told.length]);
    told.forEach((words, i) => expect(notices[i]).toContain(words));
  });

  it('EDF+D with a pause keeps the pause and the times of its annotations in the signal', () => {
    const late = patched(
      noteAt(2),
      '+7\u0014\u0014\0+7.5\u00151\u0014T2\u0014\0+4\u0014lost\u0014\0',
      patched(192, 'EDF+D'),
    );
    const { gaps, annotations, notices, seconds } = readRecording(late);
    expect(gaps).toEqual([{ at: 2, seconds: 5 }]);
    expect(annotations).toEqual([
      { onset: 0.5, duration: 1, text: 'T1' },
      { onset: 2.5, duration: 1, text: 'T2' },
    ]);
    expect(seconds).toBe(3);
    expect(notices.join(' ')).toMatch(
      /a pause of 5 s in all, the first after 2 s.*1 annotation in a pause is left out/,
    );
  });

  it('reads numbers that are padded with NUL', () => {
    const padded = patched(cell(104, 8, 0), '-23\0\0\0\0\0', patched(236, '3\0\0\0\0\0\0\0'));
    expect(readRecording(padded).seconds).toBe(3);
  });

  it('reads annotations that are no UTF-8 as Latin-1, and says so; the person may choose', () => {
    const bytes = patched(noteAt(0), '+0\u0014\u0014\0+0.5\u00151\u0014\u00E9\u0014\0');
    expect(readRecording(bytes)).toMatchObject({
      annotations: [{ text: 'é' }],
      notices: [expect.stringContaining('read as Latin-1')],
    });
    expect(readRecording(bytes, { encoding: 'latin-1' }).notices).toEqual([]);
  });

  it('a signal without a physical range keeps its digital values', () => {
    const [flat, other] = readRecording(
      patched(cell(112, 8, 0), '0       ', patched(cell(104, 8, 0), '0       ')),
    ).channels;
    expect(flat).toMatchObject({ label: 'Cz', isDigital: true });
    expect(flat.values.every(Number.isInteger)).toBe(true);
    expect(other.unit).toBe('uV');
  });

  it('annotations without a time stamp are left out', () => {
    expect(readRecording(patched(noteAt(0), 'zz\u0014\u0014\0oops')).annotations).toEqual([]);
  });
});
