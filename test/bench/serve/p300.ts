import { createNoise } from '../../support/noise.ts';
import type { SpeedSet } from '../datasets.ts';

const channelNames = ['Fz', 'Cz', 'P3', 'Pz', 'P4', 'PO7', 'PO8', 'Oz'];
const [count, samples, rateHz] = [300, 256, 256];

/** A made-up P300 recording: one flash in five is a target, after which Pz and its neighbours rise for 300 ms. */
export function simulatedP300(): SpeedSet {
  const noise = createNoise(300);
  const data = new Float32Array(count * channelNames.length * samples);
  const labels = Array.from({ length: count }, (_, trial) => (trial % 5 === 0 ? 'target' : 'non-target'));
  labels.forEach((label, trial) => {
    const common = noise.pink(samples);
    channelNames.forEach((name, channel) => {
      const own = noise.pink(samples);
      const height = label === 'target' ? (name.includes('P') ? 6 : 3) : 0;
      for (let at = 0; at < samples; at++) {
        const wave = height * Math.exp(-(((at / rateHz - 0.35) / 0.08) ** 2));
        data[(trial * channelNames.length + channel) * samples + at] = 6 * common[at] + 6 * own[at] + wave;
      }
    });
  });
  const trials = { data, trials: count, channels: channelNames.length, samples, rateHz, sourceRateHz: rateHz };
  return {
    name: '300 trials × 8 channels × 1 s, P300 (simulated)',
    kind: 'erp',
    labels,
    trials: { ...trials, channelNames },
  };
}
