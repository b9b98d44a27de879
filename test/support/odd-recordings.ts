import { writeEdf } from './write-edf.ts';

const rateHz = 100;
const noise = (seconds: number, seed: number): number[] =>
  Array.from({ length: rateHz * seconds }, (_, i) => (((i * (seed + 7) * 7919) % 1009) - 504) / 10);

const channels = (labels: readonly string[], seconds: number, unit = 'uV') =>
  labels.map((label, i) => ({ label, unit, values: noise(seconds, i) }));

/** Ten minutes without an event. */
export const withoutEvents = (): Uint8Array =>
  writeEdf({ rateHz, channels: channels(['Fz', 'C3', 'C4'], 60), annotations: [] });

/** Two trigger channels: `TRIG 1` has three events named 5, `TRIG 2` twelve named 8. */
export const twoTriggers = (): Uint8Array => {
  const pulses = (every: number, value: number): number[] =>
    Array.from({ length: 60 * rateHz }, (_, i) => (i % every === every - 1 ? value : 0));
  return writeEdf({
    rateHz,
    channels: [
      ...channels(['C3'], 60),
      { label: 'TRIG 1', unit: '', values: pulses(2000, 5) },
      { label: 'TRIG 2', unit: '', values: pulses(500, 8) },
    ],
    annotations: [],
  });
};

/** Ten minutes of sleep. The stages are in the hypnogram. */
export const night = (): Uint8Array =>
  writeEdf({ rateHz, channels: channels(['Fz', 'C3', 'C4'], 600), annotations: [] });

/** Four runs of stages of 150 s, in a file without a signal. */
export const hypnogram = (): Uint8Array =>
  writeEdf({
    rateHz,
    channels: [],
    seconds: 4,
    annotations: [0, 1, 2, 3].map((i) => ({
      onset: 150 * i,
      duration: 150,
      text: `Sleep stage ${i % 2 ? '2' : 'W'}`,
    })),
  });

/** Sixteen channels A1 to A16; the first states no unit. */
export const numberedCap = (): Uint8Array =>
  writeEdf({
    rateHz,
    channels: channels(
      Array.from({ length: 16 }, (_, i) => `A${i + 1}`),
      60,
    ).map((each, i) => (i === 0 ? { ...each, unit: '' } : each)),
    annotations: Array.from({ length: 20 }, (_, i) => ({
      onset: 2 + 2.5 * i,
      duration: 1,
      text: i % 2 ? 'up' : 'down',
    })),
  });
