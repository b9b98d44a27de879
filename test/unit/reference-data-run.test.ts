import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataSetOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { DataSet } from '../../infra/contract/reference-data/data-set-schema.ts';
import { findStretches, readRun, type RunFile } from '../../infra/recordings/reference-data/run.ts';
import { findTrials } from '../support/reference-trials.ts';
import { writeEdf } from '../support/write-edf.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'reference-run-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const set = { ...dataSetOf('eegmmidb'), electrodes: ['Cz', 'C3'], rateHz: 8 } as DataSet;
const ramp = Array.from({ length: 8 * 20 }, (_, i) => i);
function held(rateHz = 8, labels = ['C3..', 'Cz..', 'Status'], gain = 1): RunFile {
  const at = join(root, `${labels.join('')}${rateHz}-${gain}.edf`);
  writeFileSync(
    at,
    writeEdf({
      rateHz,
      channels: labels.map((label, i) => ({
        label,
        unit: i === 1 ? 'mV' : 'uV',
        values: ramp.map((v) => (gain * v) / (i === 1 ? 1000 : -1)),
      })),
      annotations: [
        { onset: 0, duration: 4.2, text: 'T0' },
        { onset: 4.2, duration: 4.1, text: 'T2' },
        { onset: 8.3, duration: 4.2, text: 'T0' },
        { onset: 12.5, duration: 4.1, text: 'T1' },
        { onset: 16.6, duration: 4.2, text: 'T1' },
      ],
    }),
  );
  return { person: 'S001', run: '04', at, published: true };
}

it('reads the electrodes of the set in its order, in microvolts', async () => {
  const { electrodes, signal, rateHz, published } = await readRun(held(), set);
  expect({ electrodes, rateHz, published }).toEqual({ electrodes: ['Cz', 'C3'], rateHz: 8, published: true });
  expect(signal[0][100]).toBeCloseTo(100, 1);
  expect(signal[1][100]).toBeCloseTo(-100, 1);
});

it('refuses another rate, and missing electrodes, with names and numbers', async () => {
  await expect(readRun(held(16), set)).rejects.toThrow('sampled at 16 Hz, those of the set at 8 Hz');
  const lacking = held(8, ['C3..', 'Fp1.']);
  await expect(readRun(lacking, set)).rejects.toThrow(
    `${lacking.at} is no recording of EEG Motor Movement/Imagery Database: 1 of 2 electrodes are not in it (Cz).`,
  );
});

it.each([
  [1e-5, 4.6e-4],
  [3e4, 1.4e6],
])('refuses values outside the range of an electrode: %d times those of a recording', async (gain, spread) => {
  const file = held(8, ['C3..', 'Cz..', 'Status'], gain);
  await expect(readRun(file, set)).rejects.toThrow(
    `${file.at} is no recording of EEG Motor Movement/Imagery Database: the middle one of its electrodes varies ` +
      `by ${spread} uV around its mean, where 0.01 to 1000000 uV are possible.`,
  );
});

describe('trials', () => {
  const task = (id: string) => set.tasks.find((each) => each.id === id)!;
  const places = async (id: string, seconds: number, run = '04') =>
    findTrials({ ...(await readRun(held(), set)), run }, task(id), seconds).map(({ classId, from }) => [
      classId,
      from / 8,
    ]);

  it('begin at their annotations, and end before the recording does', async () => {
    expect(await places('left-right-fist-imagined', 4)).toEqual([
      ['right_fist_imagined', 4.25],
      ['left_fist_imagined', 12.5],
    ]);
    expect(await places('left-right-fist-imagined', 3)).toHaveLength(3);
    expect(await places('movement-rest-imagined', 3)).toEqual([
      ['rest_between_imagery', 0],
      ['movement_imagined', 4.25],
      ['rest_between_imagery', 8.25],
      ['movement_imagined', 12.5],
      ['movement_imagined', 16.625],
    ]);
  });

  it('come only from the runs of their task', async () => {
    expect(await places('fists-feet-imagined', 3)).toEqual([]);
    expect(await places('left-right-fist-executed', 3)).toEqual([]);
  });

  it('fill the marked time if the task requires it', async () => {
    expect(await places('eyes-open-closed', 2, '02')).toEqual([
      ['eyes_closed', 0],
      ['eyes_closed', 2],
      ['eyes_closed', 8.25],
      ['eyes_closed', 10.25],
    ]);
  });

  it('are not longer than the limit of the set', async () => {
    await expect(places('left-right-fist-imagined', 5)).rejects.toThrow(
      'Trials of left-right-fist-imagined last up to 4 s, not 5 s.',
    );
  });

  it.each([
    ['left-right-fist-imagined', '04', 'T1', 10, 2],
    ['eyes-open-closed', '01', 'T0', 2, 2],
  ])('of %s do not overlap repeatedly', async (id, run, text, times, most) => {
    const read = { ...(await readRun(held(), set)), run };
    const marked = (count: number) => ({
      ...read,
      annotations: Array.from({ length: count }, () => ({ onset: 0, duration: 20, text })),
    });
    expect(findStretches(marked(times), task(id))).toHaveLength(times);
    const samples = (160 / times) * 2 * (times + 1);
    expect(() => findStretches(marked(times + 1), task(id))).toThrow(
      `${read.at} cannot be read: ${times + 1} annotations mark ${samples} samples of trials in a run of 160, ` +
        `where at most ${most * 160} are possible.`,
    );
  });

  it('of flashes may overlap, as responses do', async () => {
    const invaders = dataSetOf('brain-invaders-2014a').tasks[0];
    const read = { ...(await readRun(held(), set)), run: '0' };
    const flashes = (everySeconds: number) => ({
      ...read,
      annotations: Array.from({ length: 19 / everySeconds }, (_, i) => ({
        onset: i * everySeconds,
        duration: 0.1,
        text: 'NonTarget',
      })),
    });
    expect(findStretches(flashes(0.125), invaders)).toHaveLength(152);
    expect(() => findStretches(flashes(0.0625), invaders)).toThrow('annotations mark 2432 samples');
  });
});
