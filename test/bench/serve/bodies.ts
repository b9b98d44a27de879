import { recordingsMissing } from '../../support/recordings.ts';
import type { Trials } from '../../../ml/types.ts';
import { createNoise } from '../../support/noise.ts';
import { imageryTrials } from '../datasets.ts';

const channels = 'FC5 FC3 FC1 FCz FC2 FC4 FC6 C5 C3 C1 Cz C2 C4 C6 CP5 CP3 CP1 CPz CP2 CP4 CP6 Pz'.split(' ');

/** 22 channels of 4 s at 256 Hz, labelled: real imagery, or noise whose power differs. */
function labelledTrials(
  count: number,
  from: 'recordings' | 'noise',
): Pick<Trials, 'data' | 'channels' | 'samples'> & { labels: string[] } {
  if (from === 'recordings') {
    const { trials, labels } = imageryTrials(count, 4, channels);
    return { ...trials, labels };
  }
  const samples = 1024;
  const noise = createNoise(14);
  const labels = Array.from({ length: count }, (_, trial) => (trial % 2 ? 'left hand' : 'right hand'));
  const data = Float32Array.from(
    { length: count * channels.length * samples },
    (_, at) => 10 * noise.gauss() * (Math.floor(at / samples) % 2 === Math.floor(at / samples / 22) % 2 ? 1.4 : 1),
  );
  return { data, channels: channels.length, samples, labels };
}

export const base64 = (data: Float32Array): string =>
  Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');

export interface Bodies {
  /** A create of 60 trials. */
  readonly create: object;
  /** A prediction of one trial: 120 KB of JSON. */
  readonly predict: Buffer;
  /** Where the trials come from, in words. */
  readonly from: string;
}

export function makeBodies(from = recordingsMissing() ? ('noise' as const) : ('recordings' as const)): Bodies {
  const count = 60;
  const { data, samples, labels } = labelledTrials(count, from);
  const rest = { units: 'uV', sampling_rate_hz: 256, channels };
  const one = channels.length * samples;
  return {
    create: {
      description: 'imagined movement: left hand or right hand',
      x: base64(data),
      shape: [count, channels.length, samples],
      labels,
      ...rest,
    },
    predict: Buffer.from(
      JSON.stringify({ x: base64(data.subarray(0, one)), shape: [1, channels.length, samples], ...rest }),
    ),
    from: from === 'noise' ? 'simulated' : 'real imagery (EEGMMIDB)',
  };
}
