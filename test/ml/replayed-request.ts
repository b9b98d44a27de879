import { createPredict } from '../../api/predict/predict.ts';
import { intake } from '../../api/intake/intake.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { pinsOf, resamplerOf } from '../../ml/pins/index.ts';
import { modelOf } from './recorded.ts';
import type { Recorded, Sent } from './recorded.ts';
import { standInEncoders } from '../support/stand-in-encoders.ts';

/** What a caller sends for the trials: microvolts in the order of the model's channels, without positions. */
const bodyOf = ({ data, trials, channels, samples, rateHz, channelNames }: Sent): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      x: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
      shape: [trials, channels, samples],
      sampling_rate_hz: rateHz,
      units: 'uV',
      channels: channelNames,
    }),
  );

/**
 * Probabilities of a recorded model by the way of a request: intake with the model's resampler, then the hosted model.
 */
export async function requested(recorded: Recorded, sent: Sent): Promise<Pick<Recorded, 'none' | 'batch'>> {
  const model = modelOf(recorded);
  const read = intake(bodyOf(sent), 'predict', new Date(0), resamplerOf(pinsOf(model)));
  if (!read.ok) throw new Error(read.error.message);
  const predict = createPredict({ get: async () => recorded.model } as unknown as ObjectStore, standInEncoders);
  const ask = async (align: 'none' | 'batch'): Promise<Float64Array> => {
    const { data } = await predict({
      modelRef: 'models/recorded',
      trials: read.trials!,
      align,
      strideSeconds: null,
      missingChannels: 'nearest',
      recordings: null,
    });
    const rows = JSON.parse(data) as { probabilities: Readonly<Record<string, number>> }[];
    return Float64Array.from(rows.flatMap((row) => model.classes.map((name) => row.probabilities[name]!)));
  };
  return { none: await ask('none'), batch: await ask('batch') };
}
