import { describe, expect, it } from 'vitest';
import { findElectrodes } from '../../infra/recordings/channel-names.ts';
import { readRecording } from '../../infra/recordings/edf/read-recording.ts';
import { cutTrials } from '../../infra/recordings/epochs.ts';
import { readDemoOptions } from '../../infra/main/demo/options.ts';
import { balancedAccuracy, formatReport } from '../../infra/main/demo/report.ts';
import { simulateRecording } from '../support/simulated-recording.ts';
import { formatTable } from '../../infra/main/demo/table.ts';
import { holdOut, joinTrials, takeTrials, type DemoTrials } from '../../infra/recordings/trials.ts';
import { createTerminal } from '../../infra/main/terminal.ts';
import { writeEdf } from '../support/write-edf.ts';

const ramp = (length: number, step = 1): number[] => Array.from({ length }, (_, i) => i * step);

describe('EDF+', () => {
  const file = writeEdf({
    rateHz: 10,
    channels: [
      { label: 'Fc5.', unit: 'uV', values: ramp(60) },
      { label: 'EEG C3-REF', unit: 'mV', values: ramp(60, 0.001) },
      { label: 'EOG', unit: 'uV', values: ramp(60) },
    ],
    annotations: [
      { onset: 1, duration: 2, text: 'T1' },
      { onset: 3, duration: 2, text: 'T2' },
      { onset: 5.5, duration: 2, text: 'T1' },
    ],
  });

  it('gives physical values, rates, units and annotations', () => {
    const { channels, annotations, seconds } = readRecording(file);
    expect(seconds).toBe(6);
    expect(channels.map(({ label, unit, rateHz }) => [label, unit, rateHz])).toEqual([
      ['Fc5.', 'uV', 10],
      ['EEG C3-REF', 'mV', 10],
      ['EOG', 'uV', 10],
    ]);
    expect(channels[0].values[42]).toBeCloseTo(42, 1);
    expect(annotations).toEqual([
      { onset: 1, duration: 2, text: 'T1' },
      { onset: 3, duration: 2, text: 'T2' },
      { onset: 5.5, duration: 2, text: 'T1' },
    ]);
  });

  it('cuts trials in microvolts, names electrodes, and leaves out other channels and trials that reach past the end', () => {
    const { trials, window, notes } = cutTrials(readRecording(file), {
      labels: { T1: 'fists', T2: 'feet' },
      window: null,
      session: 'one',
    });
    expect(window).toEqual([0, 2]);
    expect(trials).toMatchObject({
      channels: ['FC5', 'C3'],
      labels: ['fists', 'feet'],
      sessions: ['one', 'one'],
      samples: 20,
      rateHz: 10,
    });
    expect(trials.x[20 * 2]).toBeCloseTo(30, 1);
    expect(trials.x[20]).toBeCloseTo(10, 0);
    expect(notes.join(' ')).toContain('EOG');
  });

  it('says which annotations there are when none names a trial', () => {
    expect(() => cutTrials(readRecording(file), { labels: { X: 'x' }, window: null, session: '' })).toThrow(
      /T1 \(2 times\), T2 \(1 times\); name them with --labels/,
    );
  });

  it('reads the names of common recordings', () => {
    const names = (labels: string[]) =>
      findElectrodes(labels.map((label) => ({ label, unit: 'uV', rateHz: 100, values: new Float32Array(1) })));
    expect(
      names(['Fcz.', 'EEG Fp1-REF', 'T3', 'C3..', 'C3', 'STATUS', 'POL A1']).electrodes.map(({ name }) => name),
    ).toEqual(['FCz', 'Fp1', 'T7', 'C3']);
  });
});

describe('trials of the demo', () => {
  const trials = (labels: string[], sessions: string[]): DemoTrials => ({
    x: Float32Array.from(ramp(labels.length * 2)),
    samples: 2,
    rateHz: 100,
    channels: ['Cz'],
    labels,
    sessions,
  });

  it('holds out the last session if the others suffice, else the last quarter of each class', () => {
    const labels = Array.from({ length: 18 }, (_, i) => (i % 2 ? 'a' : 'b'));
    expect(
      holdOut(
        trials(
          labels,
          labels.map((_, i) => `s${Math.floor(i / 6)}`),
        ),
      ),
    ).toMatchObject({ kept: [12, 13, 14, 15, 16, 17], how: 'session s2' });
    expect(
      holdOut(
        trials(
          labels,
          labels.map(() => 's'),
        ),
      ),
    ).toMatchObject({ kept: [12, 13, 14, 15, 16, 17], how: 'the last quarter of each class' });
    expect(
      holdOut(
        trials(
          labels.slice(0, 10),
          labels.slice(0, 10).map(() => 's'),
        ),
      ).kept,
    ).toEqual([]);
  });

  it('takes and joins rows', () => {
    const all = trials(['a', 'b', 'a'], ['1', '1', '2']);
    const parts = [takeTrials(all, [2]), takeTrials(all, [0, 1])];
    expect(joinTrials(parts)).toMatchObject({
      x: new Float32Array([4, 5, 0, 1, 2, 3]),
      labels: ['a', 'a', 'b'],
      sessions: ['2', '1', '1'],
    });
    expect(() => joinTrials([all, { ...all, rateHz: 200 }])).toThrow('differ');
  });

  it('simulates the same recording every time, in microvolts of a real size', () => {
    const { source, trials: made } = simulateRecording();
    expect(source).toMatch(/^SIMULATED/);
    expect(Buffer.compare(Buffer.from(made.x.buffer), Buffer.from(simulateRecording().trials.x.buffer))).toBe(0);
    const rms = Math.sqrt(made.x.reduce((sum, value) => sum + value * value, 0) / made.x.length);
    expect(rms).toBeGreaterThan(3);
    expect(rms).toBeLessThan(40);
    expect(new Set(made.sessions).size).toBe(3);
  });
});

describe('the command line of the demo', () => {
  it('reads files, labels and window', () => {
    expect(readDemoOptions([])).toEqual({ own: null });
    expect(readDemoOptions(['--help'])).toBeNull();
    expect(
      readDemoOptions([
        '--data',
        'a.edf',
        '--data',
        'b.edf',
        '--labels',
        'T1=left hand,T2=feet',
        '--window',
        '0.5,3.5',
      ]),
    ).toEqual({
      own: { files: ['a.edf', 'b.edf'], labels: { T1: 'left hand', T2: 'feet' }, window: [0.5, 3.5] },
    });
  });

  it.each([
    ['--labels', 'T1'],
    ['--window', '4,0'],
    ['--nothing', 'x'],
  ])('explains the error of %s %s', (...args) => {
    expect(() => readDemoOptions(['--data', 'a.edf', ...args])).toThrow();
  });
});

describe('what the demo prints', () => {
  it('aligns tables and puts the winner of the report on top', () => {
    expect(
      formatTable([
        ['Method', 'Score'],
        ['a', '0.9'],
        ['long', '10.5'],
      ]).split('\n'),
    ).toEqual(['  Method  Score', '  ──────  ─────', '  a         0.9', '  long     10.5']);
    const text = formatReport({
      balanced_accuracy: 0.9,
      chance: 0.5,
      method: 'b',
      method_title: 'B',
      methods: [
        { id: 'a', title: 'A', status: 'scored', balanced_accuracy: 0.6, seconds: 0.1 },
        { id: 'b', title: 'B', status: 'scored', balanced_accuracy: 0.9, seconds: 1 },
        { id: 'c', title: 'C', status: 'skipped', reason: 'needs 19 sites' },
        { id: 'd', title: 'D', status: 'dropped', balanced_accuracy: 0.5, reason: 'it could not catch up' },
      ],
      corrected: null,
      confusion_matrix: {
        labels: ['x', 'y'],
        counts: [
          [9, 1],
          [1, 9],
        ],
      },
      warnings: ['few trials'],
    });
    expect(text.indexOf('▸ B')).toBeLessThan(text.indexOf('  A'));
    expect(text).toContain('C: needs 19 sites');
    expect(text).toContain('D: dropped: it could not catch up');
    expect(text).toContain('No corrected score can be had');
    expect(text).toContain('! few trials');
  });

  it('measures balanced accuracy over the classes', () => {
    expect(balancedAccuracy(['a', 'a', 'a', 'b'], ['a', 'a', 'a', 'a'])).toBe(0.5);
  });

  it('rewrites the status on a terminal and keeps lines', () => {
    let out = '';
    const terminal = createTerminal((text) => (out += text), true);
    terminal.status('one');
    terminal.status('two');
    terminal.line('done');
    expect(out).toBe('one\r\u001B[2Ktwo\r\u001B[2Kdone\n');
  });
});
