import { createRandom } from '../../ml/random.ts';

/**
 * Simulated trials of 4 s at 250 Hz with a rhythm of 11 Hz that is weaker over the hand area opposite to the hand, as
 * the fields of a request, and their labels.
 */
export function handTrials({
  channels,
  trials,
  seed,
  swapped = false,
}: {
  channels: readonly string[];
  trials: number;
  seed: number;
  swapped?: boolean;
}) {
  const random = createRandom(seed);
  const [samples, rateHz] = [1000, 250];
  const values = new Float32Array(trials * channels.length * samples);
  const labels = Array.from({ length: trials }, (_, t) => (t % 2 ? 'left' : 'right'));
  labels.forEach((label, t) => {
    const left = (label === 'left') !== swapped;
    channels.forEach((name, c) => {
      const side = /[13579]$/.test(name) ? 'left' : /[02468]$/.test(name) ? 'right' : null;
      const near = /^(FC|CP|C)/.test(name) ? 1 : 0.3;
      const weak = side !== null && (side === 'left') !== left;
      const amplitude = near * (weak ? 3 : 6) * (0.5 + random());
      const phase = 6.28 * random();
      const from = (t * channels.length + c) * samples;
      for (let s = 0; s < samples; s += 1)
        values[from + s] = amplitude * Math.sin((6.2832 * 11 * s) / rateHz + phase) + 16 * (random() - 0.5);
    });
  });
  const x = {
    x: Buffer.from(values.buffer).toString('base64'),
    shape: [trials, channels.length, samples],
    sampling_rate_hz: rateHz,
    units: 'uV',
    channels,
  };
  return { x, labels };
}
