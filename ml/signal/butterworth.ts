import { add, complex, divide, modulus, multiply, productOf, scale, squareRoot, subtract } from './complex.ts';
import type { Complex } from './complex.ts';
import { sectionsOf } from './sections.ts';

/** Second-order sections [sections × 6]: b0 b1 b2 1 a1 a2 each, as scipy's `output='sos'`. */
export type Sos = Float64Array;

interface Analog {
  readonly zeros: readonly Complex[];
  readonly poles: readonly Complex[];
  readonly gain: number;
}

/**
 * Butterworth filter of `order` (a band-pass has twice as many poles): band-pass between both edges, high-pass with
 * only `lowHz`, low-pass with only `highHz`. Equals scipy.signal.butter(order, edges, output='sos', fs=rateHz).
 */
export function bandpassSos(lowHz: number | null, highHz: number | null, order: number, rateHz: number): Sos {
  for (const edge of [lowHz, highHz]) {
    if (edge !== null && !(edge > 0 && edge < rateHz / 2)) {
      throw new RangeError(`Filter edge ${edge} Hz is not between 0 and ${rateHz / 2} Hz, half the rate.`);
    }
  }
  const warp = (hz: number): number => 4 * Math.tan((Math.PI * hz) / rateHz);
  const prototype = lowpassPrototype(order);
  if (lowHz !== null && highHz !== null) {
    if (lowHz >= highHz)
      throw new RangeError(`Lower filter edge ${lowHz} Hz is not below the upper one, ${highHz} Hz.`);
    return digital(toBandpass(prototype, Math.sqrt(warp(lowHz) * warp(highHz)), warp(highHz) - warp(lowHz)));
  }
  if (lowHz !== null) return digital(toHighpass(prototype, warp(lowHz)));
  if (highHz !== null) return digital(toLowpass(prototype, warp(highHz)));
  throw new RangeError('A filter needs a lower or an upper edge.');
}

function lowpassPrototype(order: number): Analog {
  const poles = Array.from({ length: order }, (_, i) => {
    const angle = (Math.PI * (1 - order + 2 * i)) / (2 * order);
    return 2 * i === order - 1 ? complex(-1) : complex(-Math.cos(angle), -Math.sin(angle));
  });
  return { zeros: [], poles, gain: 1 };
}

function toLowpass({ poles }: Analog, edge: number): Analog {
  return { zeros: [], poles: poles.map((p) => scale(p, edge)), gain: Math.pow(edge, poles.length) };
}

function toHighpass({ poles }: Analog, edge: number): Analog {
  return { zeros: poles.map(() => complex(0)), poles: poles.map((p) => divide(complex(edge), p)), gain: 1 };
}

function toBandpass({ poles }: Analog, centre: number, width: number): Analog {
  const low = poles.map((p) => scale(p, width / 2));
  const roots = low.map((p) => squareRoot(subtract(multiply(p, p), complex(centre * centre))));
  return {
    zeros: poles.map(() => complex(0)),
    poles: [...low.map((p, i) => add(p, roots[i])), ...low.map((p, i) => subtract(p, roots[i]))],
    gain: Math.pow(width, poles.length),
  };
}

/** Bilinear transform at the normalised rate 2 (edges were warped by 4·tan). */
function digital({ zeros, poles, gain }: Analog): Sos {
  const two = complex(4);
  const map = (s: Complex): Complex => divide(add(two, s), subtract(two, s));
  const ratio = divide(productOf(zeros.map((z) => subtract(two, z))), productOf(poles.map((p) => subtract(two, p))));
  const missing = poles.slice(zeros.length).map(() => complex(-1));
  return sectionsOf([...zeros.map(map), ...missing], poles.map(map).map(clean), gain * ratio.re);
}

const clean = (p: Complex): Complex => (Math.abs(p.im) <= 1e-14 * modulus(p) ? complex(p.re) : p);
