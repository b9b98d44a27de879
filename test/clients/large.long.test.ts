import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { EegTaskClassifier, limits } from '../../clients/typescript/src/index.ts';
import { newAccount, startTestApi } from '../support/api.ts';

const trials = limits.windowsPerRequest + 104;
const [channels, samples, rate] = [['C3', 'C4'], 64, 64];
const labels = Array.from({ length: trials }, (_, trial) => (trial % 2 ? 'right' : 'left'));

/** A rhythm that is stronger over one side, in noise of a fixed sequence. */
const values = Float32Array.from({ length: trials * channels.length * samples }, (_, at) => {
  const [sample, row] = [at % samples, Math.floor(at / samples)];
  const size = (row % 2 === 0) === (labels[Math.floor(row / 2)] === 'left') ? 12 : 5;
  return size * Math.sin((2 * Math.PI * 10 * sample) / rate + row) + 8 * Math.sin(at * at * 0.37 + row);
});

it(
  'more trials than one request takes are fitted as one model, and predicted in several requests',
  { timeout: 900_000 },
  async () => {
    const api = await startTestApi({}, { inProcess: true });
    try {
      await api.app.listen({ port: 0, host: '127.0.0.1' });
      const { key } = await newAccount(api.database, { key: { mode: 'test' } });
      const baseUrl = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`;
      const eeg = new EegTaskClassifier({ apiKey: key, baseUrl });
      const signal = { x: values, shape: [trials, 2, samples], channels, sampling_rate_hz: rate, units: 'uV' } as const;
      const told: number[] = [];
      const model = await eeg.createInBatches(
        { ...signal, labels, description: 'imagined movement: left hand or right hand' },
        { onProgress: ({ trialsDone }) => told.push(trialsDone), maxUsd: 20 },
      );
      expect(told).toEqual([trials / 2, trials]);
      expect(model.training_report).toMatchObject({
        trials,
        trials_per_class: { left: trials / 2, right: trials / 2 },
      });
      expect(model.training_report!.balanced_accuracy).toBeGreaterThan(0.9);
      const { data, cost } = await eeg.predict(model, signal);
      expect(cost.windows).toBe(trials);
      expect(data.map(({ index }) => index)).toEqual(labels.map((_, trial) => trial));
      expect(data.filter(({ label, index }) => label === labels[index]).length / trials).toBeGreaterThan(0.9);
    } finally {
      await api.close();
    }
  },
);
