import { expect, test } from 'vitest';
import { createPredict } from '../../api/predict/predict.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import type { Trials } from '../../ml/types.ts';
import { modelOf, readRecorded, received, recordedNames, sentTrials, type Sent } from './recorded.ts';
import { standInEncoders } from '../support/stand-in-encoders.ts';

/** Trials whose rows end `more` samples later, or earlier, than they were recorded. */
function longer(sent: Sent, more: number): Sent {
  const samples = sent.samples + more;
  const rows = sent.trials * sent.channels;
  const data = new Float32Array(rows * samples);
  for (let row = 0; row < rows; row++)
    for (let i = 0; i < samples; i++)
      data[row * samples + i] = sent.data[row * sent.samples + Math.min(i, sent.samples - 1)]!;
  return { ...sent, data, samples };
}

/** What a hosted model answers to one request. */
async function answer(name: string, trials: Trials) {
  const recorded = readRecorded(name);
  const predict = createPredict({ get: async () => recorded.model } as unknown as ObjectStore, standInEncoders);
  const { data, warnings } = await predict({
    modelRef: 'models/m',
    trials,
    align: 'none',
    strideSeconds: null,
    missingChannels: 'nearest',
    recordings: null,
  });
  const rows = JSON.parse(data) as { probabilities: Record<string, number> }[];
  return { values: rows.flatMap(({ probabilities }) => Object.values(probabilities)), warnings: warnings.join(' ') };
}

test.each(recordedNames())(
  '%s answers trials with one sample more or less, and says how it changed them',
  async (name) => {
    const { shape } = modelOf(readRecorded(name));
    const { positions: _, ...sent } = sentTrials(readRecorded(name).trials);
    const plain = await answer(name, received(sent, shape.resampler));
    expect(plain.warnings).toBe('');
    for (const [more, said] of [
      [1, 'cut at the end'],
      [-1, 'extended by their last value'],
    ] as const) {
      const { values, warnings } = await answer(name, received(longer(sent, more), shape.resampler));
      expect(warnings).toContain(said);
      values.forEach((value, i) => expect(Math.abs(value - plain.values[i]!)).toBeLessThan(0.25));
    }
  },
);

/** Methods of slow potentials read means of 0.25 s, which recordings of any rate contain. */
const readsHighFrequencies = (name: string): boolean => !name.startsWith('slow-potentials');

test.each(recordedNames())('%s resamples trials of a higher rate, and refuses trials of a lower one', async (name) => {
  const { shape } = modelOf(readRecorded(name));
  const { positions: _, ...sent } = sentTrials(readRecorded(name).trials);
  const trials = received(sent, shape.resampler);
  const own = await answer(name, trials);
  const fast = await answer(name, { ...trials, sourceRateHz: 1_000 });
  expect(fast.values).toEqual(own.values);
  expect(fast.warnings).toContain('sampled at 1000 Hz');
  if (!readsHighFrequencies(name)) return;
  await expect(answer(name, { ...trials, sourceRateHz: 12 })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    field: 'sampling_rate_hz',
  });
});

test('shorter trials are refused with both lengths, whatever the method', async () => {
  const name = recordedNames().find((each) => each.startsWith('csp-lda@'))!;
  const { shape } = modelOf(readRecorded(name));
  const { positions: _, ...sent } = sentTrials(readRecorded(name).trials);
  for (const more of [-sent.samples + 5, -sent.samples / 2])
    await expect(answer(name, received(longer(sent, more), shape.resampler))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'x',
      message: expect.stringMatching(/last 0\.\d+ s .* fitted on trials of 1 s/),
    });
});
