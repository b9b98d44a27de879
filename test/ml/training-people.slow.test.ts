import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { dataSetOf, filesOf } from '../../infra/contract/reference-data/data-sets.ts';
import { shippedWeights } from '../../infra/encoders/shipped-weights.ts';
import { readRun } from '../../infra/recordings/reference-data/run.ts';
import { movementCard, movementPeople, provideMovementWeights } from '../../ml/encoders/movement/index.ts';
import { peopleOfNetworks } from '../../ml/reference-fits/network-people.ts';
import {
  alteredTrials,
  comparedData,
  sentTrials,
  startsIn,
  treatments,
  withoutPerson,
} from '../support/altered-recordings.ts';
import { dataFolder, readRecording, recordingsMissing } from '../support/recordings.ts';

const set = dataSetOf('eegmmidb');
const montages = {
  64: set.electrodes,
  19: movementCard.scores.find(({ montage }) => montage === 'fixed19')!.electrodes,
  8: movementCard.scores.find(({ montage }) => montage === 'central8')!.electrodes,
};
const wanted = ['S002', 'S004', 'S007'];
const files = filesOf(set, new Set(['04', '12']))
  .filter(({ person }) => wanted.includes(person))
  .map((file) => ({ ...file, at: join(dataFolder, set.folder, file.path) }));
const areMissing = files.some(({ at }) => !existsSync(at));
if (areMissing) process.stderr.write(`\nSKIPPED: recordings of ${wanted.join(', ')} are not in ${dataFolder}\n`);

describe.skipIf(areMissing)('runs of training people', () => {
  beforeAll(() => provideMovementWeights(shippedWeights));

  it.each(treatments)('are recognised $name, and as nobody if their person is not known', async (treatment) => {
    for (const file of files) {
      const run = await readRun({ ...file, published: true }, set);
      const signal = { rows: run.signal, rateHz: run.rateHz };
      for (const names of Object.values(montages)) {
        // The half of 8 electrodes that is left identifies 92 % of the people.
        if (treatment.electrode === 'noisy' && names.length === 8) continue;
        const { movement } = startsIn(run);
        const trials = alteredTrials(treatment.change?.(signal) ?? signal, movement, names, treatment)!;
        const [data, people] = [comparedData(trials), movementPeople()];
        expect(peopleOfNetworks(data, people), `${file.person}, ${names.length} electrodes`).toEqual([file.person]);
        expect(peopleOfNetworks(data, withoutPerson(people, file.person))).toEqual([]);
      }
    }
  });
});

const others = [1, 2, 3, 4, 5, 6].map((subject) => `ssvep_exo/sub0${subject}`);

describe.skipIf(recordingsMissing(...others))('recordings of another device', () => {
  beforeAll(() => provideMovementWeights(shippedWeights));

  it.each(others)('%s is no training person', (name) => {
    const { x, channels, samples, rateHz } = readRecording(name);
    expect(peopleOfNetworks(comparedData(sentTrials(x, channels, samples, rateHz)), movementPeople())).toEqual([]);
  });
});
