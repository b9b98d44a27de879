import { expect, it } from 'vitest';
import { statisticsOf } from '../../ml/checks/statistics.ts';
import { createRandom } from '../../ml/random.ts';
import type { Trials } from '../../ml/types.ts';

const samples = 37;
function trialsOf(trials: number, channels: number): Trials {
  const random = createRandom(trials * 100 + channels);
  const data = Float32Array.from({ length: trials * channels * samples }, () => 200 * random() - 50);
  const channelNames = Array.from({ length: channels }, (_, c) => `channel ${c}`);
  return { data, trials, channels, samples, rateHz: 256, sourceRateHz: 256, channelNames };
}

/** Of one row alone, summed from its first value to its last. */
function momentsOf(row: Float32Array): [mean: number, deviation: number] {
  let [sum, square] = [0, 0];
  for (const value of row) {
    sum += value - row[0];
    square += (value - row[0]) ** 2;
  }
  return [row[0] + sum / samples, Math.sqrt(square / samples - (sum / samples) ** 2)];
}

it.each([
  [1, 1],
  [1, 2],
  [1, 5],
  [3, 3],
  [4, 6],
])('statistics of %i trials of %i channels are those of each row by itself, to the last bit', (trials, channels) => {
  const sent = trialsOf(trials, channels);
  const { means, deviations } = statisticsOf(sent);
  const rows = Array.from({ length: trials * channels }, (_, row) =>
    momentsOf(sent.data.subarray(row * samples, (row + 1) * samples)),
  );
  expect([...means]).toEqual(rows.map(([mean]) => mean));
  expect([...deviations]).toEqual(rows.map(([, deviation]) => deviation));
});
