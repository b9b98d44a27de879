import { describe, expect, it } from 'vitest';
import {
  congruence,
  distancesRiemann,
  expm,
  invsqrtm,
  logm,
  meanLogEuclid,
  meanRiemann,
  packUpper,
  powm,
  regularise,
  sqrtm,
  tangentVectors,
  unpackUpper,
} from '../../ml/geometry/index.ts';
import { gram } from '../../ml/linalg/index.ts';
import golden from './golden/numerics.json' with { type: 'json' };
import { covariances, noise, recording, relativeError } from './noise.ts';

const [n, p, samples] = [6, 5, 60];
const x = recording(n, p, samples, 3);
const c = covariances(x, n, p, samples, 'oas');
const mean = meanRiemann(c, n, p);

describe('geometry, against pyRiemann 0.12', () => {
  it.each(['scm', 'oas'] as const)('estimates covariances: %s', (estimator) => {
    const own = covariances(x, n, p, samples, estimator);
    expect(relativeError(packUpper(own, n, p), golden.covariances[estimator])).toBeLessThan(1e-11);
  });

  it('takes Riemannian, weighted and log-Euclidean means', () => {
    expect(relativeError(mean, golden.geometry.meanRiemann)).toBeLessThan(1e-8);
    const weights = Float64Array.from({ length: n }, (_, i) => i + 1);
    expect(relativeError(meanRiemann(c, n, p, { weights }), golden.geometry.meanWeighted)).toBeLessThan(1e-8);
    expect(relativeError(meanLogEuclid(c, n, p), golden.geometry.meanLogEuclid)).toBeLessThan(1e-10);
  });

  it('projects on a tangent space and measures distances', () => {
    expect(relativeError(tangentVectors(c, n, p, mean), golden.geometry.tangent)).toBeLessThan(1e-7);
    expect(relativeError(distancesRiemann(c, n, p, c, 2), golden.geometry.distances)).toBeLessThan(1e-7);
  });
});

describe('geometry, invariants', () => {
  it('inverts what it does', () => {
    expect(relativeError(unpackUpper(packUpper(c, n, p), n, p), c)).toBe(0);
    expect(relativeError(expm(logm(c, p, n), p, n), c)).toBeLessThan(1e-11);
    expect(relativeError(powm(sqrtm(c, p, n), p, 2, n), c)).toBeLessThan(1e-11);
    const one = c.slice(0, p * p);
    const identity = congruence(invsqrtm(one, p), one, 1, p);
    expect(
      relativeError(
        identity,
        new Float64Array(p * p).map((_, i) => (i % (p + 1) ? 0 : 1)),
      ),
    ).toBeLessThan(1e-10);
  });

  it('takes means of subsets like means of their matrices', () => {
    const subset = Int32Array.of(4, 1, 3);
    const chosen = Float64Array.from([...subset].flatMap((i) => Array.from(c.slice(i * p * p, (i + 1) * p * p))));
    expect(
      relativeError(meanRiemann(c, n, p, { rows: subset, initial: mean }), meanRiemann(chosen, 3, p)),
    ).toBeLessThan(1e-7);
    expect(relativeError(meanRiemann(c, n, p, { rows: subset }), meanRiemann(chosen, 3, p))).toBeLessThan(1e-10);
  });

  it('does not depend on the order of trials', () => {
    const order = Int32Array.of(5, 3, 1, 0, 2, 4);
    expect(relativeError(meanRiemann(c, n, p, { rows: order }), mean)).toBeLessThan(1e-9);
  });

  it('keeps distances and recentred geometry under any mixing of channels', () => {
    const mixing = noise(p * p, 99).map((v, i) => v + (i % (p + 1) ? 0 : 2));
    const mixed = congruence(mixing, c, n, p);
    expect(relativeError(distancesRiemann(mixed, n, p, mixed, n), distancesRiemann(c, n, p, c, n))).toBeLessThan(1e-7);
    const inner = (matrices: Float64Array): Float64Array => {
      const centre = meanRiemann(matrices, n, p);
      return gram(
        tangentVectors(congruence(invsqrtm(centre, p), matrices, n, p), n, p, expm(new Float64Array(p * p), p)),
        n,
        (p * (p + 1)) / 2,
      );
    };
    expect(relativeError(inner(mixed), inner(c))).toBeLessThan(1e-7);
  });

  it('stays finite for flat, duplicate and average-referenced channels', () => {
    const bad = recording(n, p, samples, 8);
    for (let i = 0; i < n * p * samples; i++) {
      const row = Math.floor(i / samples) % p;
      if (row === 0) bad[i] = 0;
      if (row === 2) bad[i] = bad[i - samples];
    }
    bad.fill(0, 0, p * samples);
    for (const estimator of ['scm', 'oas'] as const) {
      const matrices = regularise(covariances(bad, n, p, samples, estimator), n, p);
      const centre = meanRiemann(matrices, n, p);
      expect(tangentVectors(matrices, n, p, centre).every(Number.isFinite)).toBe(true);
      expect(distancesRiemann(matrices, n, p, centre, 1).every(Number.isFinite)).toBe(true);
    }
  });
});

describe('logarithms behind a whitener', () => {
  const sides = [15, 16, 21, 22, 33, 66, 67];
  /** Spectra in which the largest is so many times the least: few and many nodes, and those that are decomposed. */
  const ratios = [1, 3, 30, 300, 450, 1e5, 1e12];

  it.each(sides)('are those that eigenvectors give, each whatever stands beside it: side %d', (side) => {
    const identity = expm(new Float64Array(side * side), side);
    const basis = expm(symmetric(side, 5), side);
    const all = new Float64Array(ratios.length * side * side);
    ratios.forEach((ratio, at) => {
      const spread = Float64Array.from({ length: side * side }, (_, i) =>
        i % (side + 1) === 0 ? (20 * ratio ** (i / (side * side - 1))) / Math.sqrt(ratio) : 0,
      );
      all.set(congruence(basis, spread, 1, side), at * side * side);
    });
    const logs = logm(all, side, ratios.length);
    const size = (side * (side + 1)) / 2;
    const vectors = tangentVectors(all, ratios.length, side, identity);
    ratios.forEach((_, at) => {
      const one = vectors.subarray(at * size, (at + 1) * size);
      const expected = packUpper(logs.subarray(at * side * side, (at + 1) * side * side), 1, side);
      let k = 0;
      for (let i = 0; i < side; i++) for (let j = i; j < side; j++, k++) if (j > i) expected[k]! *= Math.SQRT2;
      expect(relativeError(one, expected)).toBeLessThan(1e-12);
      const alone = tangentVectors(all.slice(at * side * side, (at + 1) * side * side), 1, side, identity);
      expect(alone).toEqual(one);
    });
  });
});

/** A small symmetric matrix [side × side]. */
function symmetric(side: number, seed: number): Float64Array {
  const values = noise(side * side, seed);
  const out = new Float64Array(side * side);
  for (let i = 0; i < side; i++)
    for (let j = 0; j < side; j++) out[i * side + j] = (values[i * side + j]! + values[j * side + i]!) / (8 * side);
  return out;
}
