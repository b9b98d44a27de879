import { range, valuesAt } from '../../rows.ts';
import type { Features } from '../../types.ts';
import { steppedFit } from '../fit-in-steps.ts';
import { firstOf } from '../reasons.ts';
import type { Check } from '../reasons.ts';
import type { Head, Method } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { filterPatterns, linearPatterns } from './patterns.ts';
import type { Classifier, Representation, Vectors } from './types.ts';

/** The vectors of `rows`, computed once for all methods with the same fitted representation. */
export function vectorsOf(
  part: Representation,
  head: Head,
  features: Features,
  rows: Int32Array,
  workspace: Workspace,
): Vectors {
  return workspace.once([head, features, rows], `vectors:${part.name}`, () =>
    part.apply(head, features, rows, workspace),
  );
}

/** The vectors of `rows`, a subset of `seen` in the same order. */
function among({ data: x, columns: dimension }: Vectors, seen: Int32Array, rows: Int32Array): Vectors {
  const out = new Float64Array(rows.length * dimension);
  for (let i = 0, at = 0; i < rows.length; i += 1, at += 1) {
    while (seen[at] !== rows[i]) at += 1;
    out.set(x.subarray(at * dimension, (at + 1) * dimension), i * dimension);
  }
  return { data: out, rows: rows.length, columns: dimension };
}

/** Description of a method in a table; its parts determine the rest. */
export interface Row extends Pick<Method, 'id' | 'version' | 'title' | 'source' | 'family' | 'kinds' | 'needsOthers'> {
  /** Requirements of the method in addition to those of its features. */
  readonly unreadable?: Check;
}

/** Log-scores that are linear in channel values, or in log-variances of spatial filters, have patterns. */
function patternsOf(part: Representation, classifier: Classifier, decide: Method['decide']): Pick<Method, 'patterns'> {
  const { linearIn, filters } = part;
  if (!classifier.linear) return {};
  if (filters)
    return {
      patterns: (head, data) =>
        filterPatterns(filters(head['representation'] as Head), head['classifier'] as Head, data),
    };
  if (linearIn === undefined) return {};
  return {
    patterns(head, data, workspace) {
      const { features } = data;
      return linearPatterns(linearIn, decide(head, features, range(features.trials), workspace), data);
    },
  };
}

/** A method made of a representation and a classifier. */
export function pipeline(row: Row, part: Representation, classifier: Classifier): Method {
  const decide: Method['decide'] = (head, features, rows, workspace) =>
    classifier.decide(
      head['classifier'] as Head,
      vectorsOf(part, head['representation'] as Head, features, rows, workspace),
    );
  return {
    ...row,
    unreadable: firstOf(...[part, row, classifier].flatMap(({ unreadable }) => unreadable ?? [])),
    ...(classifier.prepare && { prepare: classifier.prepare }),
    featureSets: (shape) => part.featureSets(shape),
    fit: steppedFit(function* ({ data, rows, unlabelled, workspace }) {
      const seen = part.needsLabels === false && unlabelled ? unlabelled : rows;
      const representation = workspace.once([data, seen], `fit:${part.name}`, () =>
        part.fit({ data, rows: seen, workspace }),
      );
      yield;
      const all = vectorsOf(part, representation, data.features, seen, workspace);
      const vectors = seen === rows ? all : among(all, seen, rows);
      yield;
      if (classifier.begin) yield* classifier.begin(vectors, workspace);
      yield;
      return {
        representation,
        classifier: classifier.fit(
          vectors,
          valuesAt(data.labels, rows),
          data.classes.length,
          workspace,
          data.sessions && valuesAt(data.sessions, rows),
        ),
      };
    }),
    decide,
    ...patternsOf(part, classifier, decide),
  };
}
