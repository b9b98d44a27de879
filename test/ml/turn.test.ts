import { expect, test } from 'vitest';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { networkUnreadable } from '../../ml/methods/movement/network.ts';
import { pOfLower } from '../../ml/methods/movement/turn.ts';
import type { DatasetShape } from '../../ml/types.ts';

const side = (positive: boolean, ...values: number[]) => values.map((value) => ({ value, positive }));

test('tied log-odds give one p-value in any order, as in SciPy', () => {
  const [first, second] = [side(true, 0, 0, 1, 1, 1, 2), side(false, 1, 1, 2, 2, 2, 3, 3)];
  // scipy.stats.mannwhitneyu(first, second, alternative='less', method='asymptotic')
  const expected = 0.018122481461444167;
  expect(pOfLower([...first, ...second])).toBeCloseTo(expected, 6);
  expect(pOfLower([...second, ...first])).toBeCloseTo(expected, 6);
});

test('equal log-odds contradict nothing', () => {
  const values = Array.from({ length: 40 }, (_, i) => ({ value: 0, positive: i < 20 }));
  expect(pOfLower(values)).toBe(1);
  expect(pOfLower(values.reverse())).toBe(1);
});

test('electrodes of the midline do not tell left from right', () => {
  const shape = (channelNames: readonly string[], head: string): DatasetShape => ({
    kind: 'motor',
    channelNames,
    sourceRateHz: 160,
    samples: 1024,
    seconds: 4,
    trials: 40,
    classes: ['left', 'right'],
    trialsPerClass: [20, 20],
    sessions: 1,
    storedFeaturesOnly: false,
    missingChannels: 'nearest',
    encoders: { movement: { hash: movementCard.sha256 } },
    network: { head, positive: 1 },
  });
  const midline = ['FCz', 'Cz', 'CPz'];
  for (const [head, { mirrored }] of Object.entries(movementCard.heads)) {
    const why = networkUnreadable(shape(midline, head));
    if (mirrored) expect(why).toContain('beside the midline');
    else expect(why).toBeNull();
    expect(networkUnreadable(shape([...midline, 'C3'], head))).toBeNull();
  }
});
