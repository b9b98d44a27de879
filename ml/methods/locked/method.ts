import { fitSharedWeights } from '../../classify/shared-weights.ts';
import { cosineLayout, cosineSets } from './bands.ts';
import type { CosineLayout } from './bands.ts';
import type { Filters } from './filters.ts';
import { correlate } from './correlate.ts';
import { averagesOf, fitTemplates, joinedAverages } from './templates.ts';
import type { Averages, Templates } from './templates.ts';
import { joinTables, valuesAt } from '../../rows.ts';
import { firstOf } from '../reasons.ts';
import type { Head, Method } from '../types.ts';
import { needsOf } from '../parts/needs.ts';
import type { Row } from '../parts/pipeline.ts';

/** Alternates the trials of each class between two halves. */
function halvesOf(labels: Int32Array, classes: number): Int32Array {
  const seen = new Int32Array(classes);
  return labels.map((label) => {
    seen[label] += 1;
    return seen[label] % 2;
  });
}

/**
 * Correlation with the average of each class in sub-bands, through spatial `filters`: for stimulus-locked responses; no
 * frequencies needed. Log-scores are the correlations times one weight per sub-band. The weights are learned by
 * correlating each half of the training trials with the averages of the other.
 */
export function phaseLocked(row: Row, filters: Filters): Method {
  const needs = needsOf(cosineSets[0]);
  return {
    ...row,
    unreadable: row.unreadable ? firstOf(needs, row.unreadable) : needs,
    featureSets: ({ storedFeaturesOnly }) => [cosineSets[storedFeaturesOnly ? 1 : 0]],
    fit({ data, rows, workspace }) {
      const { features } = data;
      const classes = data.classes.length;
      const layout = cosineLayout(features);
      const [left, right] = workspace.once([data, rows], 'halves', () => {
        const half = halvesOf(valuesAt(data.labels, rows), classes);
        return [0, 1].map((part) => rows.filter((_, i) => half[i] === part));
      });
      const averages = [left, right].map((half) => averagesOf(data, layout, half));
      const made = (some: Averages): Templates => fitTemplates(data, layout, some, filters, workspace);
      const x = joinTables([
        correlate(made(averages[1]), { features, layout, classes }, left, workspace),
        correlate(made(averages[0]), { features, layout, classes }, right, workspace),
      ]);
      const known = Int32Array.from([...valuesAt(data.labels, left), ...valuesAt(data.labels, right)]);
      const weights = fitSharedWeights(x, known, classes, layout.bands.length);
      const templates = made(joinedAverages(rows, averages[0], averages[1]));
      return { layout: layout as unknown as Head, classes, weights, templates };
    },
    decide(head, features, rows, workspace) {
      const layout = head['layout'] as unknown as CosineLayout;
      const weights = head['weights'] as Float64Array;
      const classes = head['classes'] as number;
      const x = correlate(head['templates'] as Templates, { features, layout, classes }, rows, workspace);
      const out = new Float64Array(rows.length * classes);
      for (let at = 0; at < out.length; at += 1)
        for (let m = 0; m < weights.length; m += 1) out[at] += weights[m] * x[at * weights.length + m];
      return out;
    },
  };
}
