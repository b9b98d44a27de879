import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { readNights } from '../bench/encoders/nights.ts';
import { leaveNightsOut } from '../bench/encoders/sleep.ts';
import { randomSource } from '../bench/encoders/sources.ts';
import { writeEdf } from '../support/write-edf.ts';

const rateHz = 100;
const waves = { W: { hz: 10, microvolts: 20 }, 2: { hz: 5, microvolts: 12 }, 4: { hz: 1.2, microvolts: 50 } } as const;
/** Epochs in a row of each stage of a night. */
const night = [
  ['W', 6],
  [2, 6],
  [4, 7],
  [2, 6],
  [4, 6],
  ['W', 6],
] as const;

/** The two files of a simulated night in the form of Sleep-EDF. */
function writeNight(folder: string, name: string, seed: number): void {
  const random = createRandom(seed);
  const epochs = night.flatMap(([stage, count]) => Array.from({ length: count }, () => stage));
  const signal = (gain: number): number[] =>
    epochs.flatMap((stage) =>
      Array.from(
        { length: 30 * rateHz },
        (_, i) =>
          gain * (waves[stage].microvolts * Math.sin((2 * Math.PI * waves[stage].hz * i) / rateHz) + 20 * random()),
      ),
    );
  const channels = ['EEG Fpz-Cz', 'EEG Pz-Oz', 'EOG horizontal'].map((label, i) => ({
    label,
    unit: 'uV',
    values: signal(1 + 0.2 * i),
  }));
  let onset = 0;
  const annotations = night.map(([stage, count]) => {
    const each = { onset, duration: 30 * count, text: `Sleep stage ${stage}` };
    onset += 30 * count;
    return each;
  });
  writeFileSync(path.join(folder, `${name}E0-PSG.edf`), writeEdf({ rateHz, channels, annotations: [] }));
  const silent = [{ label: 'EEG Cz', unit: 'uV', values: Array.from({ length: 10 }, () => 0) }];
  const hypnogram = writeEdf({ rateHz: 1, channels: silent, annotations });
  writeFileSync(path.join(folder, `${name}EC-Hypnogram.edf`), hypnogram);
}

describe('the bench of nights', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'nights-'));
  beforeAll(() => [1, 2].forEach((seed) => writeNight(folder, `SC400${seed}`, seed)));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('reads Sleep-EDF: stages of many epochs, electrodes of derivations, N3 of stages 3 and 4', () => {
    const [first, ...others] = [...readNights(folder)];
    expect(others).toHaveLength(1);
    expect(first).toMatchObject({ trials: 37, samples: 3000, rateHz: 100, channels: ['Fpz', 'Pz'] });
    expect(first!.labels.slice(4, 14)).toEqual(['W', 'W', 'N2', 'N2', 'N2', 'N2', 'N2', 'N2', 'N3', 'N3']);
  });

  test('leaves each night out: plain stages are found by every method, alone and in order', async () => {
    const results = await leaveNightsOut([...readNights(folder)], randomSource);
    expect(results).toHaveLength(2 * 4 * 2);
    for (const { method, align, balancedAccuracy } of results)
      expect(balancedAccuracy, `${method} ${align}`).toBeGreaterThan(0.8);
  });

  test('names the file that is no night', () => {
    const other = mkdtempSync(path.join(tmpdir(), 'nights-'));
    writeFileSync(path.join(other, 'a.edf'), 'not EDF');
    writeFileSync(path.join(other, 'b.edf'), 'not EDF');
    expect(() => [...readNights(other)]).toThrow(/^a\.edf: /);
    rmSync(other, { recursive: true });
  });
});
