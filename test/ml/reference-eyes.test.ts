import { expect, it } from 'vitest';
import { trainingReport } from '../../infra/contract/training-report.ts';
import { fitReference } from '../../ml/reference-fits/fit.ts';
import { classes, simulatedPeople } from './reference-people.ts';

/** The sites of simulated people under other names; the first and the third tell the classes apart. */
function fitOn(electrodes: readonly string[], effect: number) {
  const people = simulatedPeople(8, effect, 'motor').map((person) => ({ ...person, electrodes }));
  const shape = { channelNames: electrodes, seconds: 2, sourceRateHz: 128 };
  const { evidence, report } = fitReference(people, { kind: 'motor', classes }, shape);
  const [eyes, ...others] = trainingReport.parse(report).controls!;
  expect(others).toEqual([]);
  return { evidence, report, eyes: eyes! };
}

it('warns if the electrodes nearest the eyes distinguish the classes as well as all electrodes do', () => {
  const { evidence, report, eyes } = fitOn(['AF7', 'Cz', 'AF8', 'Pz'], 1);
  expect(eyes).toMatchObject({ id: 'eyes', title: 'Electrodes nearest the eyes, 8–32 Hz', status: 'scored' });
  expect(eyes.balanced_accuracy).toBeGreaterThan(0.75);
  expect(eyes.interval_95![0]).toBeGreaterThan(0.5);
  const warning = expect.stringMatching(
    /^Electrodes nearest the eyes, 8–32 Hz: these alone reach [\d.]+ % .* would explain .* below 8 Hz is not kept\.$/,
  );
  expect(evidence.warnings).toEqual([warning]);
  expect(report['warnings']).toEqual(evidence.warnings);
});

it('gives no warning if the eyes reach much less, or if there is nothing to explain', () => {
  const { evidence, eyes } = fitOn(['C3', 'AF7', 'C4', 'AF8'], 1);
  expect(eyes.balanced_accuracy).toBeLessThan(evidence.balancedAccuracy - 0.15);
  expect(evidence.warnings).toEqual([]);
  expect(fitOn(['AF7', 'Cz', 'AF8', 'Pz'], 0).evidence.warnings.join()).not.toContain('eyes');
});

it('gives the reason if too few electrodes are near the eyes to measure it', () => {
  expect(fitOn(['C3', 'Cz', 'C4', 'AF8'], 1).eyes).toMatchObject({
    status: 'not_measured',
    balanced_accuracy: null,
    reason: 'needs at least 2 electrodes near the eyes; 1 of the 4 that are read lie there',
  });
});
