import { createRandom } from '../../ml/random.ts';
import type { Trials } from '../../ml/types.ts';

interface Hands {
  readonly channels: readonly string[];
  readonly trials: number;
  readonly seed: number;
  /** Labels of the other hand. */
  readonly swapped?: boolean;
  /** Share of the rhythm that is lost over the hand area opposite to the hand. */
  readonly depth?: number;
}

const [samples, rateHz] = [1024, 256];

/**
 * Simulated trials of 4 s: noise, and a rhythm of 11 Hz that is weaker over the hand area opposite to the hand. The
 * labels are `left` and `right` in random order.
 */
export function handSignals({ channels, trials, seed, swapped = false, depth = 0.5 }: Hands) {
  const random = createRandom(seed);
  const data = new Float32Array(trials * channels.length * samples);
  const labels: string[] = Array.from({ length: trials }, (_, t) => (t % 2 ? 'left' : 'right'));
  for (let t = trials - 1; t > 0; t -= 1) {
    const other = Math.floor(random() * (t + 1));
    [labels[t], labels[other]] = [labels[other]!, labels[t]!];
  }
  labels.forEach((label, t) => {
    const left = (label === 'left') !== swapped;
    const strength = { left: 0.5 + random(), right: 0.5 + random() };
    const phases = { left: 6.28 * random(), right: 6.28 * random() };
    channels.forEach((name, c) => {
      const side = /[13579]$/.test(name) ? 'left' : 'right';
      const near = /^(FC|CP|C)\d/.test(name) ? 1 : 0.3;
      const weak = (side === 'left') !== left;
      const amplitude = 6 * near * strength[side] * (weak ? 1 - depth : 1);
      const from = (t * channels.length + c) * samples;
      for (let s = 0; s < samples; s += 1)
        data[from + s] =
          amplitude * Math.sin((6.2832 * 11 * s) / rateHz + phases[side]) + 16 * (random() + random() - 1);
    });
  });
  const signal: Trials = {
    data,
    trials,
    channels: channels.length,
    samples,
    rateHz,
    sourceRateHz: rateHz,
    channelNames: channels,
  };
  return { trials: signal, labels };
}

/** The same as the fields of a request. */
export function handTrials(hands: Hands) {
  const { trials, labels } = handSignals(hands);
  const x = {
    x: Buffer.from(trials.data.buffer).toString('base64'),
    shape: [trials.trials, trials.channels, samples],
    sampling_rate_hz: rateHz,
    units: 'uV',
    channels: hands.channels,
  };
  return { x, labels };
}
