import { expect, it } from 'vitest';
import { createPredict } from '../../api/predict/predict.ts';
import { encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace } from '../../ml/methods/index.ts';
import { fitWinner, trainingData } from '../../ml/train/index.ts';
import { simulated } from '../ml/simulated.ts';
import { noEncoders } from '../support/no-encoders.ts';

const { trials, labels } = simulated({ count: 20, channels: 3, samples: 512 });
const model = encode(
  fitWinner(
    { method: 'log-power-logistic', version: '1', temperature: 1, explanation: '' },
    trainingData(extractFeatures(trials, ['logpower']), labels, null),
    createWorkspace(),
  ),
);

/** Names of the models that were read from the store, in the order of predictions with them. */
async function readBy(names: readonly string[], maxBytes: number): Promise<string[]> {
  const read: string[] = [];
  const store = {
    async get(name: string) {
      read.push(name);
      return model;
    },
  } as unknown as ObjectStore;
  const predict = createPredict(store, noEncoders, maxBytes);
  for (const modelRef of names)
    await predict({
      modelRef,
      trials,
      align: 'none',
      strideSeconds: null,
      missingChannels: 'nearest',
      recordings: null,
    });
  return read;
}

it('caches fitted models by their memory, the most recently used ones', async () => {
  const kibibytes = 1024;
  expect(model.length).toBeLessThan(64 * kibibytes);
  expect(await readBy(['a', 'b', 'a', 'b'], 128 * kibibytes)).toEqual(['a', 'b']);
  expect(await readBy(['a', 'a', 'b', 'a'], 127 * kibibytes)).toEqual(['a', 'b', 'a']);
  expect(await readBy(['a', 'a'], 1 * kibibytes)).toEqual(['a', 'a']);
});
