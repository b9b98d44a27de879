import { invsqrtm, logVectorsThrough } from '../../geometry/index.ts';
import type { Matrices } from '../../matrix.ts';
import { matricesOf, meanOf, spdSet, strongest } from './spd.ts';
import { atLeastChannels, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import type { SpdLayout, SpdSet } from './spd.ts';
import type { Representation } from './types.ts';

/** Filter banks of more channels are reduced to this many directions of channel space, the strongest of each band. */
const widestBank = 32;
/**
 * With many trials, larger single matrices are reduced too: the time of a logarithm grows with the cube of its size.
 */
const widest = { side: 64, trials: 60 } as const;

function directionsOf({ p, blocks }: SpdLayout, trials: number, stacked: boolean): number {
  if (blocks > 1) return Math.min(p, widestBank);
  return trials > widest.trials && !stacked ? Math.min(p, widest.side) : p;
}

/** True if matrices of this many trials are used whole, at their Riemannian mean. */
export const readWhole = (layout: SpdLayout, trials: number, stacked: boolean): boolean =>
  directionsOf(layout, trials, stacked) === layout.p;

/**
 * Riemannian tangent space: vectors of log(M^-½·C·M^-½) at the mean M of the training trials, block by block (frequency
 * bands or stimulation frequencies), with values off the diagonal multiplied by √2.
 *
 * Source: Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4).
 */
export function tangentSpace(
  set: string | ((frequenciesHz: readonly number[]) => string),
  perChannel = true,
): Representation {
  const nameOf = (frequenciesHz: readonly number[] = []): string =>
    typeof set === 'string' ? set : set(frequenciesHz);
  return {
    name: `tangent:${nameOf()}`,
    needsLabels: false,
    unreadable: perChannel
      ? firstOf(atLeastChannels(2, 'covariances between channels'), needsOf(nameOf()))
      : needsOf(nameOf()),
    featureSets: (shape) => [nameOf(shape.frequenciesHz)],
    fit({ data, rows, workspace }) {
      const id = typeof set === 'string' ? set : idLike(data.features.sets, nameOf());
      const source = spdSet(data.features, id, perChannel);
      const { p, blocks } = source;
      const q = directionsOf(source, data.labels.length, typeof set !== 'string');
      const whiteners = new Float64Array(blocks * q * p);
      for (let b = 0; b < blocks; b += 1) {
        const own = q < p ? strongest(source, b, rows, q) : invsqrtm(meanOf(source, b, rows, workspace));
        whiteners.set(own.data, b * q * p);
      }
      return { set: id, p, q, blocks, whiteners };
    },
    apply(head, features, rows) {
      const [p, q, blocks] = [head['p'] as number, head['q'] as number, head['blocks'] as number];
      const source: SpdSet = { features, set: head['set'] as string, p, blocks };
      const whiteners: Matrices = { data: head['whiteners'] as Float64Array, count: blocks, rows: q, columns: p };
      return logVectorsThrough(whiteners, rows.length, (b, from, count, out) => {
        matricesOf(source, b, rows.subarray(from, from + count), out);
      });
    },
  };
}

/** The feature set whose id starts like `prefix` (parameterised sets such as `ssvep/13,17`). */
export function idLike(sets: Readonly<Record<string, Float64Array>>, prefix: string): string {
  const id = Object.keys(sets).find((key) => key.startsWith(prefix));
  if (id === undefined) throw new Error(`No feature set ${prefix}… among ${Object.keys(sets).join(', ')}.`);
  return id;
}
