import { describe, expect, it } from 'vitest';
import { createPredict } from '../../api/predict/predict.ts';
import { encode } from '../../infra/drivers/codec.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { headPositionOf } from '../../ml/channels/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace } from '../../ml/methods/index.ts';
import { fitWinner, trainingData } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { simulated } from '../ml/simulated.ts';
import { noEncoders } from '../support/no-encoders.ts';

const { trials, labels } = simulated({ count: 30, channels: 3, samples: 1536 });
const channelNames = ['C3', 'AFz', 'POz'];
const at = (...names: string[]) => names.map((name) => headPositionOf(name)!);

/** Answers of a hosted model of 19 sites that was fitted on trials with `fitted` fields. */
function hosted(fitted: Partial<Trials>) {
  const features = extractFeatures({ ...trials, channelNames, ...fitted }, ['sites19/logpower']);
  const model = fitWinner(
    { method: 'fixed-sites-logistic', version: '1', temperature: 1, explanation: '' },
    trainingData(features, labels, null),
    createWorkspace(),
  );
  const predict = createPredict({ get: async () => encode(model) } as unknown as ObjectStore, noEncoders);
  return async (sent: Partial<Trials>, missingChannels: 'nearest' | 'reject' = 'nearest') =>
    (
      await predict({
        modelRef: 'models/m',
        trials: { ...trials, channelNames, ...sent },
        align: 'none',
        strideSeconds: null,
        missingChannels,
        recordings: null,
      })
    ).data;
}

describe('a hosted model', () => {
  it('uses the positions and the stride of its fit if a prediction sends none', async () => {
    const plain = hosted({});
    const placed = hosted({ positions: at('C3', 'P8', 'POz'), strideSeconds: 1 });
    expect(await plain({})).toBe(await plain({ positions: at(...channelNames) }));
    expect(await plain({})).not.toBe(await plain({ positions: at('C3', 'P8', 'POz') }));
    expect(await placed({})).toBe(await placed({ positions: at('C3', 'P8', 'POz'), strideSeconds: 1 }));
    expect(await placed({})).not.toBe(await placed({ strideSeconds: 2 }));
    expect(await placed({})).not.toBe(await placed({ positions: at(...channelNames) }));
  });

  it('of 19 fixed sites refuses a prediction that rejects missing channels, with their names', async () => {
    await expect(hosted({})({}, 'reject')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'missing_channels',
      message: expect.stringMatching(/1 of 19 sites; Fp1, Fp2/),
      alternatives: [],
    });
  });
});
