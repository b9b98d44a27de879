import { createNoise } from './noise.ts';

export const electrodes = (
  'C3 Cz C4 FC5 FC3 FC1 FCz FC2 FC4 FC6 C5 C1 C2 C6 CP5 CP3 CP1 CPz CP2 CP4 CP6 Fp1 Fpz Fp2 AF7 AF3 AFz AF4 AF8 F7 F5 ' +
  'F3 F1 Fz F2 F4 F6 F8 FT7 FT8 T7 T8 T9 T10 TP7 TP8 P7 P5 P3 P1 Pz P2 P4 P6 P8 PO7 PO3 POz PO4'
).split(' ');

/** The body of a request with trials of noise; of two classes in turns, one channel each is louder. */
export function noiseBody(trials: number, channels: number, samples: number, extra: object = {}): string {
  const noise = createNoise(trials);
  const x = Float32Array.from({ length: trials * channels * samples }, (_, at) => {
    const row = Math.floor(at / samples);
    return 10 * noise.gauss() * (row % channels === Math.floor(row / channels) % 2 ? 1.6 : 1);
  });
  return JSON.stringify({
    x: Buffer.from(x.buffer).toString('base64'),
    shape: [trials, channels, samples],
    units: 'uV',
    sampling_rate_hz: 256,
    channels: electrodes.slice(0, channels),
    ...extra,
  });
}

/** The labels of such trials. */
export const labelsOf = (trials: number): string[] =>
  Array.from({ length: trials }, (_, trial) => (trial % 2 ? 'left hand' : 'right hand'));
