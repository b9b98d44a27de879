import { expect, it } from 'vitest';
import { movementCard, usedSites } from '../../ml/encoders/movement/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { bandCentres, bankOf } from '../../ml/methods/movement/centres.ts';
import { hiddenLayers, logOddsOf } from '../../ml/methods/movement/read.ts';
import { range } from '../../ml/rows.ts';
import { handSignals } from '../support/hand-trials.ts';
import { provideStandInMovement, standInMovement } from '../support/stand-in-movement.ts';

const channels = ['FC3', 'FC4', 'C3', 'Cz', 'C4', 'CP3', 'CP4'];
const { trials } = handSignals({ channels, trials: 4, seed: 2 });

provideStandInMovement();

const set = `movement/${standInMovement}/bank`;
const features = extractFeatures(trials, [set]);
const bank = bankOf(features, set);
const readerFor = (some: readonly number[]) => ({
  networks: Int32Array.from(some),
  hash: standInMovement,
  sites: Int32Array.from(usedSites(features.shape).sites),
  centres: bandCentres(bank, Int32Array.of(0, 1, 2, 3)),
});
/** Log-odds of some of the networks. */
function odds(some: readonly number[]): number[] {
  const at = readerFor(some);
  const rows = range(trials.trials);
  return [...logOddsOf(hiddenLayers(bank, at, rows), at, 'left_right_imagined', rows)];
}

it('some of the networks are read as if no others had been read before', () => {
  const pairs = [
    [0, 1],
    [0, 2],
    [0, 1, 2, 3, 4],
    [3, 4],
    [0, 1],
  ];
  for (const some of pairs) {
    const own = odds(some);
    const alone = some.map((n) => odds([n]));
    const mean = own.map((_, t) => alone.reduce((sum, each) => sum + each[t]!, 0) / some.length);
    own.forEach((value, t) => expect(value, `networks ${some.join()}`).toBeCloseTo(mean[t]!, 4));
  }
  expect(movementCard.networks).toBe(5);
});
