import { beforeAll, describe, expect, it } from 'vitest';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import golden from '../../ml/encoders/movement/golden.json' with { type: 'json' };
import { movementCard, usedSites } from '../../ml/encoders/movement/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { bandCentres, bankOf } from '../../ml/methods/movement/centres.ts';
import { hiddenLayers, logOddsOf } from '../../ml/methods/movement/read.ts';
import { sketchOf } from '../../ml/methods/movement/sketch.ts';
import { range } from '../../ml/rows.ts';
import { provideStandInMovement } from '../support/stand-in-movement.ts';

const set = `movement/${movementCard.sha256}/bank`;

beforeAll(() => provideStandInMovement());

describe.each(golden.cases.map((each) => [each.channels.length, each] as const))(
  'trials of %i channels',
  (_, { channels, samples, trials, signal, centres, logOdds, sketch }) => {
    const bytes = Buffer.from(signal, 'base64');
    const data = Float32Array.from(
      new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)),
    );
    const shape = {
      trials,
      channels: channels.length,
      samples,
      rateHz: 256,
      sourceRateHz: 256,
      channelNames: channels,
    };
    const features = extractFeatures({ ...shape, data }, [set]);
    const bank = bankOf(features, set);
    const place = {
      hash: movementCard.sha256,
      sites: Int32Array.from(usedSites(features.shape).sites),
      centres: bandCentres(bank, Int32Array.from(centres)),
    };

    it.each(Object.entries(logOdds))('have the log-odds that PyTorch gives: %s', (head, expected) => {
      const all = range(trials);
      const odds = logOddsOf(hiddenLayers(bank, place, all), place, head, all);
      expected.forEach((value, trial) => expect(Math.abs(odds[trial]! - value)).toBeLessThan(1e-4));
    });

    it('have the sketch that the trainer gives', () => {
      const own = sketchOf(bank, range(trials), [...range(bank.p)]);
      expect(own).toHaveLength(sketch.length);
      sketch.forEach((value, i) => expect(Math.abs(own[i]! - value)).toBeLessThan(1e-4));
    });
  },
);

it('has weights and sketches of at most 2 MB together, with the hashes of its card', () => {
  const { sha256, bytes, people } = movementCard;
  expect(bytes + people.bytes).toBeLessThanOrEqual(2_000_000);
  expect(shippedWeights(sha256)).toHaveLength(bytes);
  expect(shippedWeights(people.sha256)).toHaveLength(people.bytes);
});
