/** Simulated trials for the quickstart, so that it needs no recording. */

const rateHz = 128;
const samples = 256;
const channels = ['C3', 'Cz', 'C4'];
const units = 'uV';

/** Uniform noise from -0.5 to 0.5, reproducible by its seed. */
function noise(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
}

/**
 * Amplitude of the 11 Hz rhythm over C3, Cz and C4, in microvolts. It decreases over the hand area of the opposite
 * side.
 */
const rhythm: Readonly<Record<string, readonly number[]>> = { left: [9, 6, 4], right: [4, 6, 9] };

/** [channels × samples], microvolts with one decimal: a rhythm on slow noise. */
function trialOf(label: string, random: () => number): number[][] {
  const phase = 7 * random();
  return channels.map((_, row) => {
    const size = rhythm[label][row] * (1 + random());
    let drift = 0;
    return Array.from({ length: samples }, (_, sample) => {
      drift = 0.95 * drift + 7 * random();
      return Math.round(10 * (drift + size * Math.sin((2 * Math.PI * 11 * sample) / rateHz + phase + row))) / 10;
    });
  });
}

function trials(count: number, seed: number) {
  const random = noise(seed);
  const labels = Array.from({ length: count }, (_, i) => (i % 2 ? 'right' : 'left'));
  return { labels, x: labels.map((label) => trialOf(label, random)) };
}

const signal = { units, sampling_rate_hz: rateHz, channels };
const description = 'motor imagery: left or right hand';
const fresh = () => trials(12, 11_232_026);

/** Request bodies by file name. `new-labels.json` contains the expected labels of `new.json`. */
export const exampleTrials = {
  'train.json': () => ({ description, ...signal, ...trials(48, 20_261_123) }),
  'first-batch.json': () => ({ description, defer_fit: true, ...signal, ...trials(24, 1_618) }),
  'second-batch.json': () => ({ ...signal, ...trials(24, 2_718) }),
  'new.json': () => ({ ...signal, x: fresh().x }),
  'new-labels.json': () => fresh().labels,
} as const satisfies Record<string, () => unknown>;
