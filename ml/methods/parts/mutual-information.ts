import type { Head } from '../types.ts';
import { columnsOf } from './columns.ts';
import { someOf } from './patterns.ts';
import type { Representation } from './types.ts';
import { labelsOf, vectorsOf } from './pipeline.ts';

/**
 * Mutual information in nats between one feature and the labels, the feature's density estimated per class by Parzen
 * windows (Ang 2008). Classes weigh alike, however many trials each has.
 */
function mutualInformation(values: Float64Array, labels: Int32Array, classes: number): number {
  const n = values.length;
  const mean = values.reduce((a, b) => a + b, 0) / n;
  const deviation = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / n) || 1;
  const width = deviation * (4 / (3 * n)) ** 0.2;
  const counts = new Float64Array(classes);
  for (const label of labels) counts[label] += 1;
  const density = new Float64Array(n * classes);
  const share = counts.map((count) => 1 / count);
  for (let i = 0; i < n; i += 1) {
    density[i * classes + labels[i]] += share[labels[i]];
    for (let j = 0; j < i; j += 1) {
      const away = (values[i] - values[j]) / width;
      const near = Math.exp(-0.5 * away * away);
      density[i * classes + labels[j]] += near * share[labels[j]];
      density[j * classes + labels[i]] += near * share[labels[i]];
    }
  }
  let conditional = 0;
  for (let i = 0; i < n; i += 1) {
    const own = density.subarray(i * classes, (i + 1) * classes);
    const total = own.reduce((a, b) => a + b, 0);
    const weight = share[labels[i]] / classes;
    for (const value of own) if (value > 0) conditional -= weight * (value / total) * Math.log(value / total);
  }
  return Math.log(classes) - conditional;
}

/** Most trials a feature's information is estimated from, evenly spread: the estimate costs their square. */
const mostTrials = 400;

/** Keeps the `count` features of a representation that tell most about the labels of the training trials. */
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
      const { x, dimension } = vectorsOf(part, inner, context.data.features, context.rows, context.workspace);
      const labels = labelsOf(context.data.labels, context.rows);
      const step = Math.max(1, labels.length / mostTrials);
      const used = Int32Array.from({ length: Math.floor(labels.length / step) }, (_, i) => Math.floor(i * step));
      const own = labelsOf(labels, used);
      const scores = Array.from({ length: dimension }, (_, j) =>
        mutualInformation(
          Float64Array.from(used, (i) => x[i * dimension + j]),
          own,
          context.data.classes.length,
        ),
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
