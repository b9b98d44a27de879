import { expect, it } from 'vitest';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { readSampleRecording } from '../../infra/recordings/sample/sample-recording.ts';
import { sampleElectrodes } from '../../infra/recordings/sample/sample.ts';
import { movementPeople, provideMovementWeights } from '../../ml/encoders/movement/index.ts';
import { peopleOfNetworks } from '../../ml/reference-fits/network-people.ts';
import { comparedData, sentTrials } from '../support/altered-recordings.ts';

it.each([10, 8, 5, 3])('the sample recording, S001, is no training person by %i of its electrodes', (count) => {
  provideMovementWeights(shippedWeights);
  const { trials } = readSampleRecording();
  const names = sampleElectrodes.slice(-count);
  const size = trials.samples;
  const x = Float32Array.from({ length: trials.labels.length * count * size }, (_, i) => {
    const [trial, channel] = [Math.floor(i / (count * size)), Math.floor(i / size) % count];
    return trials.x[(trial * sampleElectrodes.length + sampleElectrodes.length - count + channel) * size + (i % size)]!;
  });
  const data = comparedData(sentTrials(x, names, trials.samples, trials.rateHz));
  expect(peopleOfNetworks(data, movementPeople())).toEqual([]);
});
