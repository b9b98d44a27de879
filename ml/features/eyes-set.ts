import { packInto, packedSize, regularise, shrinkOas } from '../geometry/index.ts';
import { eyeSites } from '../channels/index.ts';
import { squareOf } from '../matrix.ts';
import { windows } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { perShape } from './per-shape.ts';
import { floor } from './power-sets.ts';
import type { Recipe, RecipeFamily } from './recipe.ts';

/** Hamming-weighted means over half a second pass frequencies below 4 Hz, the window's first zero; −43 dB above it. */
export const windowSeconds = 0.5;
const stepSeconds = windowSeconds / 2;
/** Most time points per channel; longer trials are averaged. */
const most = 12;

/**
 * 'eyes': activity below 4 Hz of the channels nearest the eyes (see `eyeSites`). Per channel: the time course in at
 * most 12 values without its mean, µV, then the log of its variance [sites × (values + 1)].
 */
export const eyesFamily: RecipeFamily = (args) => (args === 'cov' ? covariances : courses);

/** Step between the values of a course of which covariances are taken. */
const denseStepSeconds = 1 / 16;

/** 'eyes/cov': OAS covariance below 4 Hz of the channels nearest the eyes, packed upper triangle. */
const covariances: Recipe = {
  storable: true,
  dimension: (shape) => packedSize(sitesOf(shape).length),
  write({ shape, data }, out, at) {
    const { weights, starts } = denseWindowsOf(shape);
    const each = sitesOf(shape).map((row) => {
      const x = data.subarray(row * shape.samples, (row + 1) * shape.samples);
      return centred(starts.map((from) => weighted(x, from, weights)));
    });
    const p = each.length;
    const c = new Float64Array(p * p);
    for (let i = 0; i < p; i += 1) for (let j = 0; j < p; j += 1) c[i * p + j] = dot(each[i], each[j]) / starts.length;
    packInto(regularise(shrinkOas(squareOf(c, p), windowsOf(shape).starts.length), 1e-9), 1, out, at);
  },
};

const courses: Recipe = {
  storable: true,
  dimension: (shape) => sitesOf(shape).length * (valuesOf(shape) + 1),
  write({ shape, data }, out, at) {
    const { weights, starts } = windowsOf(shape);
    const kept = valuesOf(shape);
    sitesOf(shape).forEach((row, site) => {
      const x = data.subarray(row * shape.samples, (row + 1) * shape.samples);
      const course = starts.map((from) => weighted(x, from, weights));
      const mean = course.reduce((a, b) => a + b, 0) / course.length;
      const to = at + site * (kept + 1);
      course.forEach((value, i) => {
        const part = Math.floor((i * kept) / course.length);
        const size = Math.ceil(((part + 1) * course.length) / kept) - Math.ceil((part * course.length) / kept);
        out[to + part] += (value - mean) / size;
      });
      const variance = course.reduce((sum, value) => sum + (value - mean) ** 2, 0) / course.length;
      out[to + kept] = Math.log(Math.max(variance, floor));
    });
  },
};

interface Windows {
  readonly weights: Float64Array;
  readonly starts: readonly number[];
}

/** Starts of the windows, and their weights, which sum to 1. */
const windowsEvery = ({ samples, rateHz }: SignalShape, seconds: number): Windows => {
  const length = Math.min(samples, Math.round(windowSeconds * rateHz));
  const step = Math.max(1, Math.round(seconds * rateHz));
  const window = windows.hamming(length);
  const total = window.reduce((a, b) => a + b, 0);
  return {
    weights: window.map((weight) => weight / total),
    starts: Array.from({ length: 1 + Math.floor((samples - length) / step) }, (_, i) => i * step),
  };
};
const windowsOf = perShape((shape) => windowsEvery(shape, stepSeconds));
const denseWindowsOf = perShape((shape) => windowsEvery(shape, denseStepSeconds));

const sitesOf = perShape(({ channelNames }) => eyeSites(channelNames));

const valuesOf = (shape: SignalShape): number => Math.min(most, windowsOf(shape).starts.length);

function weighted(x: Float32Array, from: number, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i += 1) sum += weights[i] * x[from + i];
  return sum;
}

function centred(values: readonly number[]): Float64Array {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return Float64Array.from(values, (value) => value - mean);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}
