import { expect, it } from 'vitest';
import { matchTask } from '../../api/intake/match-task.ts';
import { inWholeSamples } from '../../infra/contract/reference-fits.ts';
import { methodOf } from '../../ml/methods/index.ts';
import { readings } from '../../ml/reference-fits/readings.ts';

const tasks = [
  ['resting state', ['eyes open', 'eyes closed'], 'other'],
  ['imagery', ['left fist imagined', 'right fist imagined'], 'motor'],
  ['P300', ['target', 'non-target'], 'erp'],
] as const;
const told = (description: string, classes: readonly string[], shape: Parameters<typeof inWholeSamples>[0]) =>
  matchTask({ description, classes, shape });

it.each(tasks)('of %s offers no recordings in a shape that their methods cannot read', (description, classes, kind) => {
  const { method, set: features } = readings[kind];
  let readable = 0;
  for (const channelNames of [['Cz'], ['Cz', 'O1', 'X9']])
    for (const sourceRateHz of [54, 89])
      for (const seconds of [0.05, 0.2, 0.5, 1, 2]) {
        const shape = { channelNames, seconds, sourceRateHz };
        if (told(description, classes, shape).unreadable !== null) continue;
        readable += 1;
        const trials = { trials: 40, trialsPerClass: [20, 20], sessions: 1, storedFeaturesOnly: false } as const;
        const reason = methodOf(method).unreadable({
          ...shape,
          ...trials,
          kind,
          classes,
          samples: Math.ceil(256 * seconds),
          missingChannels: 'nearest',
          reference: { set: features },
        });
        expect([channelNames.length, sourceRateHz, seconds, reason]).toEqual([
          channelNames.length,
          sourceRateHz,
          seconds,
          null,
        ]);
      }
  expect(readable).toBeGreaterThan(2);
});

it('names a length that can be read, and refuses a length without whole samples', () => {
  const shape = (seconds: number) => ({ channelNames: ['Cz', 'Pz'], seconds, sourceRateHz: 250 });
  const ask = (seconds: number) => told(tasks[2][0], tasks[2][1], shape(seconds));
  const short = ask(0.1);
  expect([short.unreadable?.reason, short.nearestSeconds]).toEqual([
    'needs trials of at least 0.2 s; 0.1 s declared',
    0.2,
  ]);
  expect(ask(0.2).unreadable).toBeNull();
  expect(inWholeSamples(shape(0.2)).seconds).toBe(52 / 256);
  expect(ask(1.0249).unreadable?.reason).toContain('needs trials of at most 1 s');
});
