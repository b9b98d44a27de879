import { valuesAt } from '../../rows.ts';
import type { Head } from '../types.ts';
import { columnsOf } from './columns.ts';
import { someOf } from './patterns.ts';
import type { Representation, Vectors } from './types.ts';
import { vectorsOf } from './pipeline.ts';

/**
 * Mutual information in nats between one feature and the labels. Parzen windows estimate the feature's density per
 * class (Ang 2008). Classes have equal weight. `labels` are ascending: trials of one class are consecutive.
 */
export function mutualInformation(values: Float64Array, labels: Int32Array, classes: number): number {
  const n = values.length;
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += values[i];
  const mean = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i += 1) squares += (values[i] - mean) ** 2;
  const deviation = Math.sqrt(squares / n) || 1;
  const width = deviation * (4 / (3 * n)) ** 0.2;
  const places = new Float64Array(n);
  for (let i = 0; i < n; i += 1) places[i] = (values[i] * Math.SQRT1_2) / width;
  const ends = new Int32Array(classes);
  for (const label of labels) ends[label] += 1;
  const perTrial = Float64Array.from(ends, (count) => 1 / count);
  for (let k = 1; k < classes; k += 1) ends[k] += ends[k - 1];
  const density = new Float64Array(classes * n);
  for (let i = 0, own = 0; i < n; i += 1) {
    while (i >= ends[own]) own += 1;
    density[own * n + i] += perTrial[own];
    for (let k = 0, j = 0; k <= own; k += 1) {
      const end = Math.min(i, ends[k]);
      let near = 0;
      for (; j < end; j += 1) {
        const away = places[i] - places[j];
        const each = Math.exp(-away * away);
        near += each;
        density[own * n + j] += each * perTrial[own];
      }
      density[k * n + i] += near * perTrial[k];
    }
  }
  let conditional = 0;
  for (let i = 0; i < n; i += 1) {
    let total = 0;
    for (let k = 0; k < classes; k += 1) total += density[k * n + i];
    const weight = perTrial[labels[i]] / classes;
    for (let k = 0; k < classes; k += 1) {
      const part = density[k * n + i] / total;
      if (part > 0) conditional -= weight * part * Math.log(part);
    }
  }
  return Math.log(classes) - conditional;
}

/** Most trials of the estimate, evenly spread: its time grows with their square. */
const mostTrials = 400;

/** Keeps the `count` features of a representation with the most information about the training labels. */
export function informative(part: Representation, count: number): Representation {
  return {
    name: `informative ${count}:${part.name}`,
    unreadable: part.unreadable,
    featureSets: (shape) => part.featureSets(shape),
    ...(part.filters && {
      filters: (head) => someOf(part.filters!(head['inner'] as Head), head['kept'] as Int32Array),
    }),
    fit(context) {
      const inner = part.fit(context);
      const vectors = vectorsOf(part, inner, context.data.features, context.rows, context.workspace);
      const labels = valuesAt(context.data.labels, context.rows);
      const step = Math.max(1, labels.length / mostTrials);
      const spread = Int32Array.from({ length: Math.floor(labels.length / step) }, (_, i) => Math.floor(i * step));
      const used = Array.from(spread).sort((a, b) => labels[a] - labels[b]);
      const own = Int32Array.from(used, (i) => labels[i]);
      const scores = Array.from({ length: vectors.columns }, (_, j) =>
        mutualInformation(column(vectors, j, used), own, context.data.classes.length),
      );
      const kept = scores
        .map((score, j) => ({ score, j }))
        .sort((a, b) => b.score - a.score || a.j - b.j)
        .slice(0, count);
      return { inner, kept: Int32Array.from(kept, ({ j }) => j) };
    },
    apply: (head, features, rows, workspace) =>
      columnsOf(vectorsOf(part, head['inner'] as Head, features, rows, workspace), head['kept'] as Int32Array),
  };
}

/** Column j of some rows of a table. */
function column({ data: x, columns: width }: Vectors, j: number, rows: readonly number[]): Float64Array {
  const out = new Float64Array(rows.length);
  for (let i = 0; i < out.length; i += 1) out[i] = x[rows[i] * width + j];
  return out;
}
