import { expect, it } from 'vitest';
import { chooseElectrodes } from '../../ml/reference-fits/choose-electrodes.ts';
import { fitReference } from '../../ml/reference-fits/fit.ts';
import { classes, simulatedPeople } from './reference-people.ts';

it.each(['motor', 'erp'] as const)('a fit of people of kind %s reads the named electrodes alone', (kind) => {
  const people = simulatedPeople(5, 1, kind, 8);
  const shape = { channelNames: ['Pz', 'C3', 'C4'], seconds: 1, sourceRateHz: 128 };
  const some = people.map((person) => chooseElectrodes(person, shape.channelNames));
  expect(some[0].electrodes).toEqual(['C3', 'C4', 'Pz']);
  expect(some[0].values.length / people[0].values.length).toBe(kind === 'erp' ? 3 / 4 : 6 / 10);
  expect(some[0].steps.length / people[0].steps.length).toBe(3 / 4);
  expect(fitReference(some, { kind, classes }, shape)).toEqual(fitReference(people, { kind, classes }, shape));
});
