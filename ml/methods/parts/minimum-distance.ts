import { distancesRiemann } from '../../geometry/index.ts';
import { squaresOf } from '../../matrix.ts';
import type { DatasetShape } from '../../types.ts';
import { atLeastChannels, atMostStack, firstOf } from '../reasons.ts';
import type { Method } from '../types.ts';
import { needsOf } from './needs.ts';
import type { Row } from './pipeline.ts';
import { matricesOf, meanOf, spdSet } from './spd.ts';
import { idLike } from './tangent-space.ts';

/** Minimum Riemannian distance to the class means (Barachant 2012): log-scores −distance², summed over blocks. */
export function minimumDistance(
  row: Omit<Row, 'unreadable'>,
  setOf: (shape: Pick<DatasetShape, 'frequenciesHz'>) => string,
  perChannel = true,
): Method {
  return {
    ...row,
    unreadable: firstOf(
      perChannel ? atLeastChannels(2, 'covariances between channels') : atMostStack(64),
      needsOf(setOf({})),
    ),
    featureSets: (shape) => [setOf(shape)],
    fit({ data, rows, workspace }) {
      const set = idLike(data.features.sets, setOf({}));
      const source = spdSet(data.features, set, perChannel);
      const { p, blocks } = source;
      const size = p * p;
      const classes = data.classes.length;
      const means = new Float64Array(blocks * classes * size);
      for (let k = 0; k < classes; k += 1) {
        const own = workspace.once([data, rows], `class ${k}`, () => rows.filter((at) => data.labels[at] === k));
        for (let b = 0; b < blocks; b += 1) means.set(meanOf(source, b, own, workspace).data, (b * classes + k) * size);
      }
      return { set, p, blocks, classes, means };
    },
    decide(head, features, rows) {
      const p = head['p'] as number;
      const blocks = head['blocks'] as number;
      const classes = head['classes'] as number;
      const means = head['means'] as Float64Array;
      const out = new Float64Array(rows.length * classes);
      for (let b = 0; b < blocks; b += 1) {
        const c = matricesOf({ features, set: head['set'] as string, p, blocks }, b, rows);
        const ofClasses = means.subarray(b * classes * p * p, (b + 1) * classes * p * p);
        distancesRiemann(c, squaresOf(ofClasses, p, classes)).data.forEach(
          (distance, i) => (out[i] -= distance * distance),
        );
      }
      return out;
    },
  };
}
