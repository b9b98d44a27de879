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
import { matrixAt, squareOf, squaresOf } from '../../ml/matrix.ts';
import type { Matrices } from '../../ml/matrix.ts';
import golden from './golden/numerics.json' with { type: 'json' };
import { covariances, noise, recording, relativeError } from './noise.ts';

const [n, p, samples] = [6, 5, 60];
const x = recording(n, p, samples, 3);
const c = squaresOf(covariances(x, n, p, samples, 'oas'), p);
const mean = meanRiemann(c);

describe('geometry, against pyRiemann 0.12', () => {
  it.each(['scm', 'oas'] as const)('estimates covariances: %s', (estimator) => {
    const own = covariances(x, n, p, samples, estimator);
    expect(relativeError(packUpper(squaresOf(own, p)), golden.covariances[estimator])).toBeLessThan(1e-11);
  });

  it('takes Riemannian, weighted and log-Euclidean means', () => {
    expect(relativeError(mean.data, golden.geometry.meanRiemann)).toBeLessThan(1e-8);
    const weights = Float64Array.from({ length: n }, (_, i) => i + 1);
    expect(relativeError(meanRiemann(c, { weights }).data, golden.geometry.meanWeighted)).toBeLessThan(1e-8);
    expect(relativeError(meanLogEuclid(c).data, golden.geometry.meanLogEuclid)).toBeLessThan(1e-10);
  });

  it('projects on a tangent space and measures distances', () => {
    expect(relativeError(tangentVectors(c, mean).data, golden.geometry.tangent)).toBeLessThan(1e-7);
    expect(relativeError(distancesRiemann(c, { ...c, count: 2 }).data, golden.geometry.distances)).toBeLessThan(1e-7);
  });
});

describe('geometry, invariants', () => {
  it('inverts what it does', () => {
    expect(relativeError(unpackUpper(packUpper(c), p).data, c.data)).toBe(0);
    expect(relativeError(expm(logm(c)).data, c.data)).toBeLessThan(1e-11);
    expect(relativeError(powm(sqrtm(c), 2).data, c.data)).toBeLessThan(1e-11);
    const one = matrixAt(c, 0);
    const identity = congruence(invsqrtm(one), one);
    expect(
      relativeError(
        identity.data,
        new Float64Array(p * p).map((_, i) => (i % (p + 1) ? 0 : 1)),
      ),
    ).toBeLessThan(1e-10);
  });

  it('takes means of subsets like means of their matrices', () => {
    const subset = Int32Array.of(4, 1, 3);
    const chosen = squaresOf(Float64Array.from([...subset].flatMap((i) => Array.from(matrixAt(c, i).data))), p);
    expect(relativeError(meanRiemann(c, { rows: subset, initial: mean }).data, meanRiemann(chosen).data)).toBeLessThan(
      1e-7,
    );
    expect(relativeError(meanRiemann(c, { rows: subset }).data, meanRiemann(chosen).data)).toBeLessThan(1e-10);
  });

  it('does not depend on the order of trials', () => {
    const order = Int32Array.of(5, 3, 1, 0, 2, 4);
    expect(relativeError(meanRiemann(c, { rows: order }).data, mean.data)).toBeLessThan(1e-9);
  });

  it('keeps distances and recentred geometry under any mixing of channels', () => {
    const mixing = noise(p * p, 99).map((v, i) => v + (i % (p + 1) ? 0 : 2));
    const mixed = congruence(squareOf(mixing, p), c);
    expect(relativeError(distancesRiemann(mixed, mixed).data, distancesRiemann(c, c).data)).toBeLessThan(1e-7);
    const inner = (matrices: Matrices): Float64Array => {
      const whitened = congruence(invsqrtm(meanRiemann(matrices)), matrices);
      return gram(tangentVectors(whitened, expm(squareOf(new Float64Array(p * p), p)))).data;
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
      const matrices = regularise(squaresOf(covariances(bad, n, p, samples, estimator), p));
      const centre = meanRiemann(matrices);
      expect(tangentVectors(matrices, centre).data.every(Number.isFinite)).toBe(true);
      expect(distancesRiemann(matrices, squaresOf(centre.data, p)).data.every(Number.isFinite)).toBe(true);
    }
  });
});

describe('logarithms after whitening', () => {
  const sides = [15, 16, 21, 22, 33, 66, 67];
  /** Spectra in which the largest is so many times the least: few and many nodes, and those that are decomposed. */
  const ratios = [1, 3, 30, 300, 450, 1e5, 1e12];

  it.each(sides)('equal those from eigenvectors, whatever the other matrices of the batch: side %d', (side) => {
    const identity = expm(squareOf(new Float64Array(side * side), side));
    const basis = expm(squareOf(symmetric(side, 5), side));
    const all = squaresOf(new Float64Array(ratios.length * side * side), side);
    ratios.forEach((ratio, at) => {
      const spread = Float64Array.from({ length: side * side }, (_, i) =>
        i % (side + 1) === 0 ? (20 * ratio ** (i / (side * side - 1))) / Math.sqrt(ratio) : 0,
      );
      all.data.set(congruence(basis, squareOf(spread, side)).data, at * side * side);
    });
    const logs = logm(all);
    const size = (side * (side + 1)) / 2;
    const vectors = tangentVectors(all, identity).data;
    ratios.forEach((_, at) => {
      const one = vectors.subarray(at * size, (at + 1) * size);
      const expected = packUpper(matrixAt(logs, at));
      let k = 0;
      for (let i = 0; i < side; i++) for (let j = i; j < side; j++, k++) if (j > i) expected[k]! *= Math.SQRT2;
      expect(relativeError(one, expected)).toBeLessThan(1e-12);
      const alone = tangentVectors(squaresOf(matrixAt(all, at).data.slice(), side), identity).data;
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
