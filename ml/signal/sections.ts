import { complex, modulus, subtract } from './complex.ts';
import type { Complex } from './complex.ts';

/**
 * Second-order sections [n × 6] of a digital filter with real zeros and conjugate pole pairs: poles nearest the unit
 * circle come last, each with the zeros nearest to it, the gain in the first section (scipy's pairing 'nearest').
 */
export function sectionsOf(zeros: readonly Complex[], poles: readonly Complex[], gain: number): Float64Array {
  const odd = poles.length % 2 === 1;
  const reals = [...poles.filter((p) => p.im === 0), ...(odd ? [complex(0)] : [])].sort((a, b) => a.re - b.re);
  const upper = poles.filter((p) => p.im > 0).sort((a, b) => a.re - b.re || a.im - b.im);
  let remaining = [...upper, ...reals];
  let free = [...zeros, ...(odd ? [complex(0)] : [])].map((z) => z.re).sort((a, b) => a - b);
  const count = Math.ceil(poles.length / 2);
  const sos = new Float64Array(count * 6);
  for (let section = count - 1; section >= 0; section--) {
    const first = nearestToCircle(remaining);
    remaining = remaining.filter((p) => p !== first);
    const second = first.im === 0 ? nearestToCircle(remaining.filter((p) => p.im === 0)) : complex(first.re, -first.im);
    remaining = remaining.filter((p) => p !== second);
    const pair = [0, 1].map(() => {
      const zero = free.reduce((best, z) => (distance(z, first) < distance(best, first) ? z : best));
      free = free.toSpliced(free.indexOf(zero), 1);
      return zero;
    });
    const numerator = [1, -(pair[0] + pair[1]), pair[0] * pair[1]];
    const denominator = [1, -(first.re + second.re), first.re * second.re - first.im * second.im];
    sos.set([...numerator, ...denominator], section * 6);
  }
  for (let i = 0; i < 3; i++) sos[i] *= gain;
  return sos;
}

const nearestToCircle = (poles: readonly Complex[]): Complex =>
  poles.reduce((best, p) => (Math.abs(1 - modulus(p)) < Math.abs(1 - modulus(best)) ? p : best));

const distance = (zero: number, pole: Complex): number => modulus(subtract(complex(zero), pole));
