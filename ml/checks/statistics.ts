import type { Trials } from '../types.ts';

/** A row with a smaller deviation is constant, microvolts. */
export const constantBelow = 1e-6;
/** A row with a deviation below this fraction of the median row's carries no signal. */
export const deadFraction = 1e-3;

export interface Statistics {
  /** [trials × channels] */
  readonly means: Float64Array;
  /** Standard deviations. [trials × channels] */
  readonly deviations: Float64Array;
  /** Root mean square over the trials. [channels] */
  readonly channelDeviations: Float64Array;
  /** Median over the channels. */
  readonly typical: number;
  /** Channels that vary in some trial. */
  readonly alive: readonly number[];
}

export function median(values: ArrayLike<number>): number {
  const sorted = new Float64Array(values).sort();
  return sorted[sorted.length >> 1] ?? 0;
}

/** The first eight names of a list, and the number of the others. */
export const shortList = (names: readonly (string | number)[]): string =>
  names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');

const known = new WeakMap<Float32Array, Statistics>();

/** Mean and deviation of every row of every trial, computed once per signal. */
export function statisticsOf(trials: Trials): Statistics {
  const statistics = known.get(trials.data) ?? takeStatistics(trials);
  known.set(trials.data, statistics);
  return statistics;
}

/**
 * Mean and deviation of two rows, which may be the same, in one loop: the two sums run in parallel in the processor.
 */
function takeMoments(
  data: Float32Array,
  row: number,
  other: number,
  samples: number,
  { means, deviations }: Pick<Statistics, 'means' | 'deviations'>,
): void {
  const from = row * samples;
  const otherFrom = other * samples;
  const first = data[from];
  const otherFirst = data[otherFrom];
  let sum = 0;
  let square = 0;
  let otherSum = 0;
  let otherSquare = 0;
  for (let i = 0; i < samples; i += 1) {
    const value = data[from + i] - first;
    sum += value;
    square += value * value;
    const otherValue = data[otherFrom + i] - otherFirst;
    otherSum += otherValue;
    otherSquare += otherValue * otherValue;
  }
  means[row] = first + sum / samples;
  deviations[row] = deviationOf(sum, square, samples);
  means[other] = otherFirst + otherSum / samples;
  deviations[other] = deviationOf(otherSum, otherSquare, samples);
}

const deviationOf = (sum: number, square: number, samples: number): number =>
  Math.sqrt(Math.max(0, square / samples - (sum / samples) ** 2));

function takeStatistics({ data, trials, channels, samples }: Trials): Statistics {
  const rows = trials * channels;
  const [means, deviations] = [new Float64Array(rows), new Float64Array(rows)];
  for (let row = 0; row < rows; row += 2)
    takeMoments(data, row, Math.min(row + 1, rows - 1), samples, { means, deviations });
  const channelDeviations = new Float64Array(channels);
  for (let c = 0; c < channels; c += 1) {
    let square = 0;
    for (let t = 0; t < trials; t += 1) square += deviations[t * channels + c] ** 2;
    channelDeviations[c] = Math.sqrt(square / trials);
  }
  const typical = median(channelDeviations);
  const alive = Array.from(channelDeviations.keys()).filter(
    (c) => channelDeviations[c] > constantBelow && channelDeviations[c] >= typical * deadFraction,
  );
  return { means, deviations, channelDeviations, typical, alive };
}
