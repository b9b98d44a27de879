import { innerParts, partOfEach } from '../../classify/inner-parts.ts';
import { balancedWeights } from '../../classify/linear.ts';
import { trialLosses } from '../../evidence/scores.ts';
import { valuesAt } from '../../rows.ts';
import type { FitContext, Head } from '../types.ts';
import { lda } from './classifiers.ts';
import { csp } from './csp.ts';
import { atLeastChannels, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import { columnsOf } from './columns.ts';
import { someOf } from './patterns.ts';
import { vectorsOf } from './pipeline.ts';
import type { Representation, Vectors } from './types.ts';

/**
 * Common spatial patterns. The number of filters, one of `counts` (ascending), has the least loss in a cross-validation
 * inside the training trials. Filters are ordered by how well they separate the classes, so the largest set contains
 * all others.
 */
export function tunedCsp(set: string, counts: readonly number[]): Representation {
  const all = csp(set, counts.at(-1)!);
  return {
    name: `tuned csp:${set}:${counts.join(',')}`,
    unreadable: firstOf(atLeastChannels(3, 'a choice of spatial filters'), needsOf(set)),
    featureSets: () => [set],
    filters: (head) => someOf(all.filters!(head['inner'] as Head), head['columns'] as Int32Array),
    fit(context) {
      const inner = all.fit(context);
      const dimension = (inner['filters'] as Float64Array).length / (inner['p'] as number);
      const choices = counts.map((count) => columnsFor(count, context.data.classes.length, dimension));
      const losses = innerLosses(all, choices, context);
      return { inner, columns: choices[Math.max(0, losses.indexOf(Math.min(...losses)))] };
    },
    apply: (head, features, rows, workspace) =>
      columnsOf(vectorsOf(all, head['inner'] as Head, features, rows, workspace), head['columns'] as Int32Array),
  };
}

/** Columns of the first filters: overall for two classes, else of each class. */
function columnsFor(count: number, classes: number, dimension: number): Int32Array {
  if (classes === 2) return Int32Array.from({ length: Math.min(count, dimension) }, (_, j) => j);
  const most = dimension / classes;
  const each = Math.min(most, Math.max(1, Math.round(count / classes)));
  return Int32Array.from({ length: each * classes }, (_, j) => Math.floor(j / each) * most + (j % each));
}

/**
 * Class-balanced log-loss of each choice of columns, of linear discriminant analysis on left-out trials (trial i of a
 * class is in part i mod 4).
 */
function innerLosses(part: Representation, choices: readonly Int32Array[], context: FitContext): number[] {
  const { data, rows, workspace } = context;
  const classes = data.classes.length;
  const labels = valuesAt(data.labels, rows);
  const dealt = partOfEach(labels, classes);
  const balance = balancedWeights(labels, classes);
  const losses = choices.map(() => 0);
  for (let testPart = 0; testPart < innerParts; testPart += 1) {
    const train = rows.filter((_, i) => dealt[i] !== testPart);
    const test = rows.filter((_, i) => dealt[i] === testPart);
    const weights = balance.filter((_, i) => dealt[i] === testPart);
    const head = part.fit({ data, rows: train, workspace });
    const [fitted, left] = [train, test].map((own): Vectors => part.apply(head, data.features, own, workspace));
    choices.forEach((columns, c) => {
      const classifier = lda('none').fit(columnsOf(fitted, columns), valuesAt(data.labels, train), classes, workspace);
      const logScores = lda('none').decide(classifier, columnsOf(left, columns));
      trialLosses(logScores, valuesAt(data.labels, test), classes, 1).forEach(
        (loss, i) => (losses[c] += weights[i] * loss),
      );
    });
  }
  return losses;
}
