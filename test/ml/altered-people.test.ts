import { beforeAll, describe, expect, it } from 'vitest';
import { movementCard, movementPeople } from '../../ml/encoders/movement/index.ts';
import type { MovementPeople } from '../../ml/encoders/movement/index.ts';
import { createRandom } from '../../ml/random.ts';
import { peopleOfNetworks } from '../../ml/reference-fits/network-people.ts';
import type { Trials } from '../../ml/types.ts';
import { comparedData, sentTrials } from '../support/altered-recordings.ts';
import { provideStandInMovement } from '../support/stand-in-movement.ts';
import { standInPeople } from '../support/stand-in-people.ts';

const electrodes = ['FC3', 'FC4', 'C3', 'Cz', 'C4', 'CP3', 'CP4', 'P3', 'P4', 'Pz'];
const [rateHz, samples, trials] = [128, 256, 15];
const { names } = movementCard.people;
/** A training person, and a person whom the sketches do not hold. */
const [caller, stranger] = [4, names.length + 1];

/** Trials [trials × electrodes × samples] of a person: noise that every head mixes in its own way. */
function recordingOf(person: number, seed: number): Float32Array {
  const [head, noise] = [createRandom(person), createRandom(seed)];
  const count = electrodes.length;
  const mixing = electrodes.map((_, i) => electrodes.map((__, j) => (i === j ? 10 : 0) + 8 * (head() - 0.5)));
  const out = new Float32Array(trials * count * samples);
  for (let t = 0; t < trials; t += 1)
    for (let s = 0; s < samples; s += 1) {
      const sources = electrodes.map(() => noise() - 0.5);
      mixing.forEach((row, i) => {
        out[(t * count + i) * samples + s] = row.reduce((sum, weight, j) => sum + weight * sources[j]!, 0);
      });
    }
  return out;
}

const sent = (x: Float32Array): Trials => sentTrials(x, electrodes, samples, rateHz);

/** Each channel of each trial [samples], changed in place. */
function changed(x: Float32Array, change: (row: Float32Array, electrode: number, trial: number) => void): Float32Array {
  const out = x.slice();
  for (let r = 0; r < out.length / samples; r += 1)
    change(out.subarray(r * samples, (r + 1) * samples), r % electrodes.length, Math.floor(r / electrodes.length));
  return out;
}

const scale = (row: Float32Array, by: number): void => row.forEach((value, i) => (row[i] = by * value));
const sizeOf = (row: Float32Array): number => Math.sqrt(row.reduce((sum, value) => sum + value ** 2, 0) / row.length);

describe('trials of a training person are recognised', () => {
  let people: MovementPeople;
  beforeAll(() => {
    provideStandInMovement(undefined, standInPeople(names.map((_, p) => sent(recordingOf(p, 1000 + p)))));
    people = movementPeople();
  });
  const own = (): Float32Array => recordingOf(caller, 7);
  const found = (x: Float32Array): string[] => peopleOfNetworks(comparedData(sent(x)), people);

  it('as recorded, and those of a stranger are not', () => {
    expect(found(own())).toEqual([names[caller]]);
    expect(found(recordingOf(stranger, 8))).toEqual([]);
  });

  it.each<[string, (x: Float32Array) => Float32Array]>([
    ['with another gain for each channel', (x) => changed(x, (row, e) => scale(row, 0.4 + 0.3 * e))],
    ['with standardised trials', (x) => changed(x, (row) => scale(row, 1 / sizeOf(row)))],
    [
      'with one noisy electrode',
      (x) => {
        const random = createRandom(3);
        return changed(x, (row, e) => {
          if (e === 2) row.forEach((value, i) => (row[i] = value + 100 * (random() - 0.5)));
        });
      },
    ],
  ])('%s', (_, alter) => {
    expect(found(alter(own()))).toEqual([names[caller]]);
    expect(found(alter(recordingOf(stranger, 8)))).toEqual([]);
  });

  it('with two electrodes that are dead in their batch alone', () => {
    const dead = changed(own(), (row, e) => {
      if (e === 2 || e === 3) row.fill(0);
    });
    const both = Float32Array.of(...recordingOf(stranger, 8), ...dead);
    expect(found(both)).toEqual([names[caller]]);
  });
});
