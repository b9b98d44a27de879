/** Random numbers and signals from a seed; every signal has a standard deviation of about 1. */
export interface Noise {
  uniform(): number;
  gauss(): number;
  /**
   * 1/f noise: a sum of random values that stay constant for a time, each row changing half as often as the one before
   * (Voss).
   */
  pink(samples: number): Float64Array;
  /** A rhythm whose amplitude waxes and wanes: white noise through a resonance (AR(2)). */
  rhythm(samples: number, hz: number, rateHz: number): Float64Array;
}

const pinkRows = 10;
const resonance = 0.985;

export function createNoise(seed: number): Noise {
  let state = seed >>> 0;
  // mulberry32
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    gauss,
    pink(samples) {
      const rows = Array.from({ length: pinkRows }, gauss);
      return Float64Array.from({ length: samples }, (_, i) => {
        for (let row = 0; row < pinkRows; row++) if (i % 2 ** row === 0) rows[row] = gauss();
        return rows.reduce((sum, value) => sum + value, 0) / Math.sqrt(pinkRows);
      });
    },
    rhythm(samples, hz, rateHz) {
      const warmUp = 200;
      const out = new Float64Array(samples + warmUp);
      const pull = 2 * resonance * Math.cos((2 * Math.PI * hz) / rateHz);
      for (let i = 2; i < out.length; i++) out[i] = pull * out[i - 1] - resonance ** 2 * out[i - 2] + gauss();
      const tail = out.subarray(warmUp);
      const power = tail.reduce((sum, value) => sum + value * value, 0) / samples;
      // Moves half-way to unit power, so that strong and weak trials remain.
      const scale = 1 / Math.sqrt(Math.sqrt(power) * Math.sqrt(expectedPower(hz, rateHz)));
      return tail.map((value) => value * scale);
    },
  };
}

/** Stationary variance of the AR(2) resonance driven by unit white noise. */
function expectedPower(hz: number, rateHz: number): number {
  const a1 = 2 * resonance * Math.cos((2 * Math.PI * hz) / rateHz);
  const a2 = -(resonance ** 2);
  return (1 - a2) / ((1 + a2) * ((1 - a2) ** 2 - a1 ** 2));
}
