import { createRandom } from '../../ml/random.ts';
import type { Simulated } from '../ml/simulated.ts';

/** Dominant frequency and amplitude (µV) of each stage. */
const stages = [
  { name: 'N3', hz: 1.2, microvolts: 45 },
  { name: 'W', hz: 10, microvolts: 15 },
  { name: 'REM', hz: 5, microvolts: 12 },
] as const;

/**
 * Nights of sleep stages that last for four epochs each, in noise; each night has a gain of its own. Microvolts at 256
 * Hz, as intake leaves them; `strength` 0: nothing to learn.
 */
export function simulatedNights({
  nights = 2,
  epochs = 16,
  channels = 2,
  seconds = 10,
  classes = 2,
  strength = 1,
  seed = 5,
} = {}): Simulated {
  const random = createRandom(seed);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const [count, samples] = [nights * epochs, Math.round(seconds * 256)];
  const data = new Float32Array(count * channels * samples);
  const stageOf = (t: number) => stages[Math.floor((t % epochs) / 4) % classes]!;
  const gains = Array.from({ length: nights }, () => 1 + 0.5 * random());
  for (let t = 0, at = 0; t < count; t += 1) {
    const { hz, microvolts } = stageOf(t);
    const phase = 2 * Math.PI * random();
    for (let c = 0; c < channels; c += 1)
      for (let i = 0; i < samples; i += 1, at += 1) {
        const wave = Math.sin((2 * Math.PI * hz * i) / 256 + phase);
        data[at] = gains[Math.floor(t / epochs)]! * (10 * gauss() + strength * microvolts * wave);
      }
  }
  const channelNames = ['Fpz', 'Pz', 'C3', 'C4', 'O1', 'O2'].slice(0, channels);
  const trials = { data, trials: count, channels, samples, rateHz: 256, sourceRateHz: 256, channelNames };
  const each = Array.from({ length: count }, (_, t) => t);
  return {
    trials: { ...trials, resampler: 1 },
    labels: each.map((t) => stageOf(t).name),
    sessions: each.map((t) => `night ${Math.floor(t / epochs)}`),
  };
}
