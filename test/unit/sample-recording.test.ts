import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeSample } from '../../infra/recordings/sample/make-sample.ts';
import { readSampleRecording, sampleFile } from '../../infra/recordings/sample/sample-recording.ts';
import { sampleElectrodes, sampleNames } from '../../infra/recordings/sample/sample.ts';
import { dataFolder } from '../support/recordings.ts';

const published = join(dataFolder, 'eegmmidb/1.0.0/S001');

it('the sample recording has at most 1 MB, and 12 whole trials in each of three runs', () => {
  const bytes = sampleNames.reduce((sum, name) => sum + sampleFile(name).length, 0);
  expect(bytes).toBeLessThanOrEqual(1_000_000);
  const { trials, source } = readSampleRecording();
  expect(trials.channels).toEqual(sampleElectrodes);
  expect([trials.rateHz, trials.samples]).toEqual([160, 640]);
  for (const run of ['run 1', 'run 2', 'run 3']) {
    const labels = trials.labels.filter((_, row) => trials.sessions[row] === run);
    expect(labels).toHaveLength(12);
    expect(new Set(labels)).toEqual(new Set(['both fists', 'both feet']));
  }
  expect(source).toContain('Attribution');
});

it.skipIf(!existsSync(published))('its script makes the same bytes from the published files', () => {
  for (const [name, made] of Object.entries(makeSample(published)))
    expect(made.equals(sampleFile(name as (typeof sampleNames)[number])), name).toBe(true);
});
