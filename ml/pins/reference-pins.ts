import { currentVersions } from '../features/index.ts';
import { methodOf } from '../methods/index.ts';
import { ownlessMethods } from '../methods/reference-prior.ts';
import { currentResampler } from '../signal/index.ts';
import { currentAnswer } from '../train/answers.ts';
import { storedFormat } from '../train/formats.ts';
import { pinsOf } from './pins-of.ts';

/** Pins that models without own trials have when this code fits them, of every kind of task. */
export function currentReferencePins(): readonly string[] {
  const current = ownlessMethods.map(({ id }) => methodOf(id));
  const pins = current.flatMap((method) =>
    pinsOf({
      format: storedFormat,
      answer: currentAnswer(),
      method,
      featureSets: method.featureSets({}),
      featureVersions: currentVersions(method.featureSets({})),
      shape: { channels: 0, samples: 0, rateHz: 0, sourceRateHz: 0, channelNames: [], resampler: currentResampler() },
    }),
  );
  return [...new Set(pins)].sort();
}
