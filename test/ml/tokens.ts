import { matrixOf } from '../../ml/matrix.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import type { Random } from '../../ml/random.ts';
import type { Vectors } from '../../ml/methods/parts/types.ts';

/** Simulated embeddings: vectors of tokens [trials × tokens·width], and the class of each trial. */
export interface Sample {
  readonly vectors: Vectors;
  readonly labels: Int32Array;
  readonly classes: number;
  readonly width: number;
}

export interface SampleShape {
  readonly trials: number;
  readonly tokens: number;
  readonly width: number;
  readonly classes: number;
  readonly seed: number;
}

/** A number of the standard normal distribution (Box & Muller 1958). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Tokens of noise, labels in random order, each class as often. */
export function noise({ trials, tokens, width, classes, seed }: SampleShape): Sample {
  const random = createRandom(seed);
  const labels = shuffle(
    Int32Array.from({ length: trials }, (_, i) => i % classes),
    random,
  );
  const x = Float64Array.from({ length: trials * tokens * width }, () => normal(random));
  return { vectors: matrixOf(x, tokens * width), labels, classes, width };
}

/**
 * One token of each trial, at a random place, is marked by its first number and says the class in the next ones. What
 * all others say in these is louder, so that the mean of the tokens says little.
 */
export function wandering(shape: SampleShape): Sample {
  const sample = noise(shape);
  const random = createRandom(shape.seed + 1000);
  const x = sample.vectors.data;
  sample.labels.forEach((label, i) => {
    const marked = Math.floor(random() * shape.tokens);
    for (let t = 0; t < shape.tokens; t += 1) {
      const at = (i * shape.tokens + t) * shape.width;
      x[at] = 0.5 * normal(random) + (t === marked ? 4 : 0);
      for (let k = 0; k < shape.classes; k += 1)
        x[at + 1 + k] = t === marked ? 0.3 * normal(random) + (k === label ? 2 : 0) : 1.5 * normal(random);
    }
  });
  return sample;
}

/** The same trials as their mean tokens. */
export function meanTokens(sample: Sample): Sample {
  const { vectors, width } = sample;
  const tokens = vectors.columns / width;
  const x = new Float64Array(vectors.data.length / tokens);
  vectors.data.forEach((v, i) => {
    x[Math.floor(i / vectors.columns) * width + (i % width)]! += v / tokens;
  });
  return { ...sample, vectors: matrixOf(x, width) };
}
