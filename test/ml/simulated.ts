import { createRandom } from '../../ml/random.ts';
import type { Trials } from '../../ml/types.ts';

export interface Simulated {
  readonly trials: Trials;
  readonly labels: string[];
  readonly sessions: string[];
}

/**
 * Mixed noise in which the class changes the power of 12 Hz in one source, in two sessions; `strength` 0: nothing to
 * learn. Microvolts at 256 Hz.
 */
export function simulated({ count = 40, channels = 4, samples = 256, strength = 1, seed = 1, classes = 2 }): Simulated {
  const random = createRandom(seed);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const mixing = Array.from({ length: channels * channels }, (_, i) => (i % (channels + 1) === 0 ? 1 : 0.4 * gauss()));
  const data = new Float32Array(count * channels * samples);
  const labels = Array.from({ length: count }, (_, i) => `class ${i % classes}`);
  for (let t = 0; t < count; t += 1) {
    const phase = 2 * Math.PI * random();
    const sources = Array.from({ length: channels }, () => Float64Array.from({ length: samples }, gauss));
    const own = sources[(t % classes) % channels]!;
    for (let i = 0; i < samples; i += 1) own[i]! += strength * Math.sin((2 * Math.PI * 12 * i) / 256 + phase);
    for (let c = 0; c < channels; c += 1)
      for (let i = 0; i < samples; i += 1)
        data[(t * channels + c) * samples + i] =
          10 * sources.reduce((sum, source, s) => sum + mixing[c * channels + s]! * source[i]!, 0);
  }
  const channelNames = ['C3', 'Cz', 'C4', 'CPz', 'CP3', 'CP4', 'FC3', 'FC4'].slice(0, channels);
  const trials: Trials = { data, trials: count, channels, samples, rateHz: 256, sourceRateHz: 256, channelNames };
  return { trials, labels, sessions: labels.map((_, i) => (i < count / 2 ? 'first' : 'second')) };
}

/**
 * Two classes that every kind of method can tell apart: each has a source of its own, which oscillates (12 or 15 Hz,
 * any phase) and answers the cue with a slow wave of its own sign from 0.2 to 0.5 s. Microvolts at 256 Hz, one session.
 */
export function separable({ count = 48, channels = 4, samples = 512, seed = 7 }): Simulated {
  const base = simulated({ count, channels, samples, seed, strength: 0 });
  const random = createRandom(seed + 1);
  const data = base.trials.data.slice();
  for (let t = 0; t < count; t += 1) {
    const own = t % 2;
    const phase = 2 * Math.PI * random();
    for (let i = 0; i < samples; i += 1) {
      const seconds = i / 256;
      const wave = Math.sin(2 * Math.PI * [12, 15][own]! * seconds + phase);
      const evoked = seconds > 0.2 && seconds < 0.5 ? 2 * own - 1 : 0;
      data[(t * channels + own) * samples + i]! += 15 * wave + 10 * evoked;
    }
  }
  return { ...base, trials: { ...base.trials, data }, sessions: base.labels.map(() => 'only') };
}

/** Trials in another order. */
export function pick({ trials, labels, sessions }: Simulated, rows: readonly number[]): Simulated {
  const size = trials.channels * trials.samples;
  const data = new Float32Array(rows.length * size);
  rows.forEach((row, i) => data.set(trials.data.subarray(row * size, (row + 1) * size), i * size));
  return {
    trials: { ...trials, data, trials: rows.length },
    labels: rows.map((row) => labels[row]!),
    sessions: rows.map((row) => sessions[row]!),
  };
}

export interface Flicker extends Simulated {
  readonly frequenciesHz: number[];
}

/**
 * Flicker from 8 Hz on in steps of 0.2 Hz, one for each class, whose phase is locked to the cue: a wave and its second
 * harmonic on every channel, in mixed noise that slow waves dominate. Microvolts at 256 Hz, one session.
 */
export function flicker({ classes = 40, perClass = 6, channels = 4, samples = 256, strength = 1, seed = 1 }): Flicker {
  const random = createRandom(seed);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const mixing = Array.from({ length: channels * channels }, (_, i) => (i % (channels + 1) === 0 ? 1 : 0.5 * gauss()));
  const gains = Array.from({ length: 2 * channels }, (_, i) => strength * (0.6 + 0.4 * gauss()) * (i % 2 ? 0.5 : 1));
  const frequenciesHz = Array.from({ length: classes }, (_, k) => Math.round(80 + 2 * k) / 10);
  const count = classes * perClass;
  const data = new Float32Array(count * channels * samples);
  for (let t = 0; t < count; t += 1) {
    const k = t % classes;
    const sources = Array.from({ length: channels }, () => {
      let slow = 3 * gauss();
      return Float64Array.from({ length: samples }, () => (slow = 0.9 * slow + gauss()));
    });
    for (let c = 0; c < channels; c += 1)
      for (let i = 0; i < samples; i += 1) {
        const phase = 2 * Math.PI * frequenciesHz[k]! * (i / 256 - 0.14) + 0.35 * Math.PI * k;
        const evoked = gains[2 * c]! * Math.sin(phase) + gains[2 * c + 1]! * Math.sin(2 * phase + c);
        const noise = sources.reduce((sum, source, s) => sum + mixing[c * channels + s]! * source[i]!, 0);
        data[(t * channels + c) * samples + i] = evoked + noise;
      }
  }
  const channelNames = ['Oz', 'O1', 'O2', 'POz', 'PO3', 'PO4', 'PO7', 'PO8'].slice(0, channels);
  const labels = Array.from({ length: count }, (_, t) => `flicker ${String(t % classes).padStart(2, '0')}`);
  const trials: Trials = { data, trials: count, channels, samples, rateHz: 256, sourceRateHz: 256, channelNames };
  return { trials, labels, sessions: labels.map(() => 'only'), frequenciesHz };
}
