import { describe, expect, it } from 'vitest';
import { openRecordings, type GivenFile } from '../../infra/recordings/open-recordings.ts';
import { joinHypnograms } from '../../infra/recordings/hypnogram.ts';
import { clipAnnotations, divideStages } from '../../infra/recordings/sleep-stages.ts';
import { isTriggerName } from '../../infra/recordings/trigger-channel.ts';
import type { Said } from '../../infra/recordings/recording.ts';
import { findElectrodes } from '../../infra/recordings/channel-names.ts';
import golden from './golden/recording-formats.json' with { type: 'json' };

interface Sample {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly uV: readonly (readonly number[])[];
  readonly annotations: readonly (readonly [number, number, string])[];
  readonly gaps?: readonly number[];
}
const samples = golden.files as unknown as readonly Sample[];
const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
const given = ({ files }: Sample): GivenFile[] =>
  Object.entries(files).map(([name, base64]) => ({ name, bytes: bytesOf(base64) }));
const text = (name: string, content: string): GivenFile => ({ name, bytes: new TextEncoder().encode(content) });
const open = (files: readonly GivenFile[], said: Said = {}) => openRecordings(files, said)[0].recording;

describe.each(samples)('$name, written by the usual tools', (sample) => {
  it('has the same values in microvolts, and the same annotations', () => {
    const recording = open(given(sample));
    const { electrodes, rateHz } = findElectrodes(recording.channels);
    expect(rateHz).toBe(50);
    expect(electrodes.map(({ name }) => name)).toEqual(['C3', 'Cz']);
    electrodes.forEach(({ channel, gain }, i) =>
      sample.uV[i].forEach((value, k) => expect(channel.values[40 * k] * gain).toBeCloseTo(value, 2)),
    );
    expect(recording.annotations.map(({ text: name }) => name)).toEqual(sample.annotations.map(([, , name]) => name));
    recording.annotations.forEach(({ onset }, i) => expect(onset).toBeCloseTo(sample.annotations[i][0], 4));
    expect(recording.gaps.map(({ at }) => at)).toEqual(sample.gaps ?? []);
  });

  it('is recognised by its content, and refused or read at any length without a crash', () => {
    const files = given(sample).map((file) => ({ ...file, name: file.name.replace(/\.fif$/, '.bin') }));
    expect(open(files).channels.length).toBeGreaterThan(1);
    const [first, ...others] = files;
    for (let part = 0; part < 60; part++) {
      const cut = { ...first, bytes: first.bytes.slice(0, Math.floor((first.bytes.length * part) / 60)) };
      try {
        open([cut, ...others]);
      } catch (error) {
        expect((error as Error).message).toMatch(/cannot be read\. .*\.$/);
      }
      const spoilt = { ...first, bytes: first.bytes.slice() };
      spoilt.bytes.fill(
        255,
        Math.floor((first.bytes.length * part) / 60),
        Math.floor((first.bytes.length * part) / 60) + 4,
      );
      try {
        open([spoilt, ...others]);
      } catch (error) {
        expect((error as Error).message).toMatch(/cannot be read\. .*\.$/);
      }
    }
  });
});

describe('a file that cannot be read has a sentence with what to do', () => {
  it.each<[string, GivenFile, RegExp]>([
    [
      'a header without its signal',
      given(samples.find(({ name }) => name === 'bv.vhdr')!)[0],
      /Choose all its files together/,
    ],
    [
      'a data set without its .fdt',
      given(samples.find(({ name }) => name === 'fdt.set')!)[0],
      /Choose both files together/,
    ],
    ['a signal alone', { name: 'a.fdt', bytes: new Uint8Array(99) }, /together with the \.vhdr or \.set file/],
    ['MATLAB 7.3', { name: 'a.set', bytes: Buffer.from('\u0089HDF\r\n', 'latin1') }, /MATLAB 7\.3.*EDF\+/],
    ['XDF', text('a.xdf', 'XDF:'), /Python client/],
    ['an archive', { name: 'a.zip', bytes: Buffer.from('PK\u0003\u0004') }, /Unpack it/],
    ['a page', text('a.html', '<html>'), /not an EDF or BDF file/],
    ['a table without a rate', text('a.csv', 'index,C3,Cz\n1,2,3\n2,3,4\n'), /does not say its sampling rate/],
  ])('%s', (_what, file, words) => {
    expect(() => open([file])).toThrow(words);
    expect(() => open([file])).toThrow(`${file.name} cannot be read. `);
  });
});

describe('tables of samples', () => {
  it('OpenBCI: the rate of its header, its channels, their electrodes by hand', () => {
    const file = text(
      'OpenBCI-RAW.txt',
      '%OpenBCI Raw EXG Data\n%Number of channels = 2\n%Sample Rate = 250 Hz\n' +
        'Sample Index, EXG Channel 0, EXG Channel 1, Accel Channel 0, Timestamp, Timestamp (Formatted)\n' +
        Array.from(
          { length: 500 },
          (_, i) => `${i % 256}, ${i}, ${-i}, 0.1, ${1e9 + i / 250}, 2020-01-01 00:00:00`,
        ).join('\n'),
    );
    const { channels, seconds } = open([file]);
    expect(channels.map(({ label, rateHz }) => [label, rateHz])).toEqual([
      ['EXG Channel 0', 250],
      ['EXG Channel 1', 250],
    ]);
    expect(seconds).toBe(2);
    const said = { names: { 'EXG Channel 0': 'C3', 'EXG Channel 1': 'C4' } };
    expect(findElectrodes(channels, said).electrodes.map(({ name }) => name)).toEqual(['C3', 'C4']);
  });

  it('a Muse table has the rate of its time stamps; notices name the rate, skipped lines and lost samples', () => {
    const row = (i: number): string => `${100 + i / 256 + (i >= 512 ? 2 : 0)},${i % 50},1,2,${i}`;
    const lines = Array.from({ length: 1024 }, (_, i) => row(i));
    lines.splice(100, 0, '100.4,,,,');
    const { channels, gaps, notices } = open([text('muse.csv', `timestamps,TP9,AF7,AF8,TP10\n${lines.join('\n')}\n`)]);
    expect(channels.map(({ label }) => label)).toEqual(['TP9', 'AF7', 'AF8', 'TP10']);
    expect(channels[0].rateHz).toBe(256);
    expect(gaps.map(({ at }) => at)).toEqual([2]);
    expect(notices.join(' ')).toMatch(/at 256 Hz, because.*1 lines without a sample.*Samples are missing at 1 places/);
  });

  it('a marker column becomes the events', () => {
    const rows = Array.from({ length: 1024 }, (_, i) => `${i / 256},${i % 7},${i % 5},${i % 256 === 100 ? 7 : 0}`);
    const { annotations } = open([text('a.csv', `timestamps,C3,C4,Marker\n${rows.join('\n')}`)]);
    expect(annotations.map(({ text: name }) => name)).toEqual(['7', '7', '7', '7']);
  });

  it('a unit behind a name counts; without one the unit is guessed from the values, and said', () => {
    const table = (names: string, by: number): GivenFile =>
      text(
        'a.csv',
        `time,${names}\n${Array.from({ length: 512 }, (_, i) => `${i / 256},${by * (i % 7)},${by * (i % 5)}`).join('\n')}`,
      );
    const gainsOf = (file: GivenFile) => {
      const { electrodes, notices } = findElectrodes(open([file]).channels);
      return [electrodes.map(({ name, gain }) => [name, gain]), notices.join(' ')] as const;
    };
    expect(gainsOf(table('C3 (mV),C4 (mV)', 0.01))[0]).toEqual([
      ['C3', 1000],
      ['C4', 1000],
    ]);
    const [gains, notices] = gainsOf(table('C3,C4', 1e-5));
    expect(gains).toEqual([
      ['C3', 1e6],
      ['C4', 1e6],
    ]);
    expect(notices).toContain('read as V');
  });

  it('words in a column of markers become events', () => {
    const rows = Array.from(
      { length: 512 },
      (_, i) => `${i / 256},${i % 7},${i % 5},${i % 128 === 64 ? 'left' : 'none'}`,
    );
    const { annotations, seconds } = open([text('a.csv', `timestamps,C3,C4,Marker\n${rows.join('\n')}`)]);
    expect(annotations.map(({ onset, text: name }) => [onset, name])).toEqual(
      [64, 192, 320, 448].map((row) => [row / 256, 'left']),
    );
    expect(seconds).toBe(2);
  });

  it('the resting value of a marker column is 0, also if another value is more frequent', () => {
    const rows = Array.from(
      { length: 1200 },
      (_, i) => `${i / 256},${i % 7},${i % 5},${i % 100 < 20 ? 0 : 1 + (Math.floor(i / 100) % 2)}`,
    );
    const { annotations } = open([text('a.csv', `timestamps,C3,C4,Marker\n${rows.join('\n')}`)]);
    expect(annotations.map(({ text: name }) => name).join('')).toBe('121212121212');
  });

  it('stamps in milliseconds are no pauses, and blank markers lose no samples', () => {
    const rows = Array.from({ length: 1024 }, (_, i) => `${4 * i},${i % 7},${i % 5},${i % 256 === 100 ? 7 : ''}`);
    const { annotations, gaps, seconds } = open([text('a.csv', `timestamps,C3,C4,Marker\n${rows.join('\n')}`)]);
    expect([annotations.length, gaps.length, seconds]).toEqual([4, 0, 1024 / 250]);
  });
});

it('a file of another recording is not taken for a missing part', () => {
  const sample = samples.find(({ name }) => name.endsWith('.vhdr'))!;
  const [header, ...parts] = given(sample);
  const other = { ...header, name: 'other.vhdr' };
  const renamed = parts.map((part) => ({ ...part, name: `other${/\.\w+$/.exec(part.name)![0]}` }));
  expect(() => openRecordings([header, other, ...renamed])).toThrow(/cannot be read/);
});

it('electrodes with different second names are not taken as of one reference', () => {
  const channels = ['C3-A2', 'C4-A1', 'F3-Cz', 'F4-Cz'].map((label) => ({
    label,
    rateHz: 100,
    unit: 'uV',
    values: new Float32Array([1, 2, 3]),
  }));
  const { electrodes, needs } = findElectrodes(channels);
  expect(electrodes.map(({ name }) => name)).toEqual(['C3', 'C4']);
  expect(needs.pairs).toEqual(['F3-Cz', 'F4-Cz']);
});

it.each([
  [['EEG Fpz-Cz', 'EEG Pz-Oz', 'Temp', 'Resp', 'Event'], 'uV', 100],
  [['left', 'right', 'Temp', 'Resp', 'Event'], 'uV', 100],
  [['left', 'right', 'Temp', 'Resp', 'Event'], 'bit', 1],
])('without electrodes, the rate is that of the pairs, then of the voltages: %j in %s', (labels, unit, rateHz) => {
  const channels = labels.map((label, i) => ({
    label,
    rateHz: i < 2 ? 100 : 1,
    unit: i < 2 ? unit : '',
    values: new Float32Array(3),
  }));
  expect(findElectrodes(channels).rateHz).toBe(rateHz);
});

it('a trigger channel of BDF that rests at another value than 0 has no events of its rest', () => {
  const runs = [
    [65280, 8],
    [65281, 4],
    [65280, 8],
    [65282, 4],
    [65280, 4],
  ];
  const bytes = bdfOf(runs.flatMap(([value, samples]) => Array<number>(samples).fill(value)));
  expect(open([{ name: 'a.bdf', bytes }]).annotations.map(({ onset, text: name }) => [onset, name])).toEqual([
    [8, '65281'],
    [20, '65282'],
  ]);
});

/** A BDF file of one record: a signal and the status channel, one sample a second. */
function bdfOf(status: readonly number[]): Uint8Array {
  const fields = (width: number, ...words: readonly (string | number)[]): string =>
    words.map((word) => String(word).padEnd(width)).join('');
  const count = status.length;
  const header =
    `\u00FFBIOSEMI${fields(80, '', '')}${fields(8, '01.01.20', '10.00.00', 768)}${fields(44, '24BIT')}` +
    `${fields(8, 1, count)}${fields(4, 2)}${fields(16, 'C3', 'Status')}${fields(80, '', '')}${fields(8, 'uV', '')}` +
    `${fields(8, -8388608, -8388608)}${fields(8, 8388607, 8388607)}${fields(8, -8388608, -8388608)}` +
    `${fields(8, 8388607, 8388607)}${fields(80, '', '')}${fields(8, count, count)}${fields(32, '', '')}`;
  const samples = [...status.map((_, i) => i), ...status].flatMap((value) => [
    value & 255,
    (value >> 8) & 255,
    value >> 16,
  ]);
  return new Uint8Array([...Buffer.from(header, 'latin1'), ...samples]);
}

describe('a file of annotations beside a recording', () => {
  const empty = { channels: [], annotations: [], seconds: 0, gaps: [], startsAt: null, notices: [] };
  const night = {
    ...empty,
    seconds: 300,
    channels: [{ label: 'C3', rateHz: 1, unit: 'uV', values: new Float32Array(300) }],
  };
  const stages = {
    ...empty,
    annotations: [
      { onset: 0, duration: 180, text: 'W' },
      { onset: 180, duration: 100, text: '2' },
    ],
  };

  it('counts in true time: its stages are moved by the pauses of the recording', () => {
    const paused = { ...night, gaps: [{ at: 100, seconds: 65 }] };
    const [{ recording }] = joinHypnograms([
      { name: 'a.edf', recording: paused },
      { name: 'a-hyp.edf', recording: stages },
    ]);
    expect(recording.annotations).toEqual([
      { onset: 0, duration: 115, text: 'W' },
      { onset: 115, duration: 100, text: '2' },
    ]);
  });

  it('is refused if there is another one for the same recording', () => {
    const files = ['a.edf', 'a-hyp.edf', 'b-hyp.edf'].map((name, i) => ({ name, recording: i === 0 ? night : stages }));
    expect(() => joinHypnograms(files)).toThrow(/b-hyp\.edf is a second file of annotations for a\.edf/);
  });
});

describe('sleep stages', () => {
  const stagesOf = (...rows: readonly (readonly [number, number, string])[]) =>
    rows.map(([onset, duration, name]) => ({ onset, duration, text: name }));

  it.each([
    [stagesOf([0, 40, 'W'], [40, 20, 'N2'], [60, 60, 'W']), [0, 20, 40, 60, 80, 100]],
    [stagesOf([0, 20, 'W'], [20, 20, 'N2'], [40, 20, 'W']), [0, 20, 40]],
    [stagesOf([0, 10, 'W'], [10, 50, 'N2']), [0, 10, 20, 30, 40, 50]],
    [stagesOf([0, 90, 'W'], [90, 60, 'N2']), [0, 30, 60, 90, 120]],
    [stagesOf([0, 40, 'W'], [40, 20, 'N2'], [60, 33, 'W']), [0, 20, 40, 60]],
  ])('become epochs of their own length (%#)', (stages, begins) => {
    expect(divideStages(stages, 150, 1e6).annotations.map(({ onset }) => onset)).toEqual(begins);
  });

  it('that begin before the recording lose whole epochs; other spans are clipped, and both are counted', () => {
    const { annotations, notices } = clipAnnotations(
      stagesOf(
        [-75, 120, 'Sleep stage W'],
        [45, 60, 'Sleep stage N2'],
        [-2, 3, 'BAD_move'],
        [-9, 3, 'early'],
        [200, 1, 'late'],
      ),
      135,
    );
    expect(annotations.map(({ onset, duration }) => [onset, duration])).toEqual([
      [15, 30],
      [45, 60],
      [0, 1],
    ]);
    expect(notices).toEqual([
      '2 annotations lie outside of the recording and are left out.',
      '2 annotations begin before the recording: 92 s before it are left out.',
    ]);
  });
});

it.each(['DIG DTRIG', 'TRIGGER', 'STI 014', 'Status', 'DC Trig 1'])('%s is a trigger channel', (label) => {
  expect(isTriggerName(label)).toBe(true);
});

describe('decimal commas', () => {
  const values = Array.from({ length: 512 }, (_, i) => [i % 7, (i % 5) - 2.25, (i % 3) * 1.5, i / 256]);
  const comma = (value: number): string => String(value).replace('.', ',');
  const styles: Readonly<Record<string, (cells: readonly string[]) => string>> = {
    semicolon: (cells) => cells.join(';'),
    tab: (cells) => cells.join('\t'),
    blank: (cells) => cells.join(', '),
    quoted: (cells) => cells.map((cell) => `"${cell}"`).join(','),
  };
  const heads: Readonly<Record<string, readonly [before: string, names: readonly string[]]>> = {
    OpenBCI: [
      '%OpenBCI Raw EXG Data\n%Number of channels = 2\n%Sample Rate = 256 Hz\n',
      ['Sample Index', 'EXG Channel 0', 'EXG Channel 1', 'Timestamp'],
    ],
    Muse: ['', ['index', 'TP9', 'AF7', 'timestamps']],
    table: ['', ['index', 'C3 (uV)', 'C4 (uV)', 'time']],
  };
  const cases = Object.keys(heads).flatMap((program) => Object.keys(styles).map((style) => [program, style] as const));

  it.each(cases)('%s, %s', (program, style) => {
    const [before, names] = heads[program];
    const lines = [names, ...values.map((row) => row.map(comma))].map(styles[style]);
    const { channels } = open([text('a.csv', `${before}${lines.join('\n')}\n`)]);
    expect(channels.map(({ rateHz }) => rateHz)).toEqual([256, 256]);
    expect([...channels[0].values]).toEqual(values.map((row) => row[1]));
    expect([...channels[1].values]).toEqual(values.map((row) => row[2]));
  });

  it('are refused where commas separate the columns, too', () => {
    const file = text('a.csv', 'time,C3,C4\n0,0,1,5,2,5\n0,004,1,5,2,5\n');
    expect(() => open([file])).toThrow(/6 values and its heading names 3 columns.*Export it with decimal points/);
  });
});

it('every position of a cap of 128 offers its map, also if some channels were left out', () => {
  const labels = ['A', 'B', 'C', 'D'].flatMap((bank) => Array.from({ length: 32 }, (_, i) => `${bank}${i + 1}`));
  const of = (names: readonly string[], said: Said = {}) =>
    findElectrodes(
      names.map((label) => ({ label, rateHz: 100, unit: 'uV', values: new Float32Array([1, 2, 3]) })),
      said,
    );
  for (const count of [128, 120]) {
    const { needs, notices, electrodes } = of(labels.slice(0, count));
    expect(electrodes).toEqual([]);
    expect(needs.caps).toEqual(['BioSemi128']);
    expect(notices.join(' ')).toContain(`${count} channels have names of positions on a BioSemi cap`);
    expect(notices.join(' ')).toContain('Choose the cap: BioSemi128.');
  }
  const { electrodes, notices } = of(labels, { cap: 'BioSemi128' });
  expect([electrodes.length, electrodes[0].name, notices]).toEqual([128, 'Cz', []]);
});

it('an EEGLAB data set with its signal in a .dat file is read channel by channel', () => {
  const sample = samples.find(({ name }) => name === 'fdt.set')!;
  const [set, fdt] = given(sample).sort((a) => (a.name.endsWith('.set') ? -1 : 1));
  const before = open([set, fdt]);
  // The name of the signal's file has the same length with .dat.
  const renamed = withText(set.bytes, fdt.name, fdt.name.replace(/fdt$/, 'dat'));
  const floats = new Float32Array(fdt.bytes.slice().buffer);
  const count = before.channels.length;
  const byChannel = Float32Array.from(floats, (_, i) => {
    const points = floats.length / count;
    return floats[(i % points) * count + Math.floor(i / points)];
  });
  const dat = { name: fdt.name.replace(/fdt$/, 'dat'), bytes: new Uint8Array(byChannel.buffer) };
  const after = open([{ ...set, bytes: renamed }, dat]);
  expect(after.channels.map(({ values }) => [...values])).toEqual(before.channels.map(({ values }) => [...values]));
  expect(() =>
    open([
      { ...set, bytes: renamed },
      { ...dat, bytes: dat.bytes.slice(8) },
    ]),
  ).toThrow(/need \d+ bytes and/);
  expect(() => open([{ ...set, bytes: renamed }])).toThrow(/Choose both files together \(\.set and \.dat\)/);
});

/** Replaces a text of a MATLAB file by one of the same length, in 8-bit or 16-bit letters. */
function withText(bytes: Uint8Array, old: string, by: string): Uint8Array {
  const whole = Buffer.from(bytes);
  for (const encoding of ['latin1', 'utf16le'] as const)
    for (let at = whole.indexOf(old, 0, encoding); at !== -1; at = whole.indexOf(old, at + 1, encoding))
      whole.write(by, at, encoding);
  return new Uint8Array(whole);
}
