import type { Matrix } from '../matrix.ts';

/** Features cut into at most 64 bins at quantiles of the training trials. */
export interface Binned {
  readonly trials: number;
  /** [dimension × trials], column by column. */
  readonly bins: Uint8Array;
  /** Upper edge of each bin except the last, for each feature. */
  readonly edges: readonly Float64Array[];
}

const mostBins = 64;

/**
 * Bins of a feature table [trials × dimension]. A value belongs to the first bin whose upper edge is at or above it.
 */
export function binned({ data: x, rows: trials, columns: dimension }: Matrix): Binned {
  const bins = new Uint8Array(trials * dimension);
  const edges: Float64Array[] = [];
  const column = new Float64Array(trials);
  for (let j = 0; j < dimension; j += 1) {
    for (let i = 0; i < trials; i += 1) column[i] = x[i * dimension + j];
    const own = edgesOf(column.slice().sort());
    edges.push(own);
    for (let i = 0; i < trials; i += 1) bins[j * trials + i] = binOf(own, column[i]);
  }
  return { trials, bins, edges };
}

/** Midpoints between all neighbouring values, or where these are too many, the first at or after each quantile. */
function edgesOf(sorted: Float64Array): Float64Array {
  const steps: number[] = [];
  for (let i = 1; i < sorted.length; i += 1) if (sorted[i] !== sorted[i - 1]) steps.push(i);
  const used = steps.length < mostBins ? steps : thinned(steps, sorted.length);
  return Float64Array.from(used, (at) => (sorted[at] + sorted[at - 1]) / 2);
}

/** Of rising positions among `length`, the first at or after each quantile. */
function thinned(steps: readonly number[], length: number): number[] {
  const kept: number[] = [];
  let next = 0;
  for (let b = 1; b < mostBins; b += 1) {
    const quantile = Math.round((b * length) / mostBins);
    while (next < steps.length && steps[next] < quantile) next += 1;
    if (next < steps.length && steps[next] !== kept.at(-1)) kept.push(steps[next]);
  }
  return kept;
}

function binOf(edges: Float64Array, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= edges[middle]) high = middle;
    else low = middle + 1;
  }
  return low;
}
