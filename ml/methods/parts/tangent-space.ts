import { invsqrtm, logVectorsThrough, packedSize } from '../../geometry/index.ts';
import { layoutOf, matricesOf, meanOf, strongest } from './spd.ts';
import { atLeastChannels, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import type { SpdLayout } from './spd.ts';
import type { Representation } from './types.ts';

/** Filter banks of more channels are read in as many directions of space, those of most power in each band. */
const widestBank = 32;
/** So are single matrices of more rows once there are many trials: a logarithm costs the cube of its side. */
const widest = { side: 64, trials: 60 } as const;

function directionsOf({ p, blocks }: SpdLayout, trials: number, stacked: boolean): number {
  if (blocks > 1) return Math.min(p, widestBank);
  return trials > widest.trials && !stacked ? Math.min(p, widest.side) : p;
}

/** Whether matrices of so many trials are read in all their directions, at their Riemannian mean. */
export const readWhole = (layout: SpdLayout, trials: number, stacked: boolean): boolean =>
  directionsOf(layout, trials, stacked) === layout.p;

/**
 * Riemannian tangent space (Barachant 2012): vectors of log(M^-½·C·M^-½) at the mean M of the training trials, block by
 * block (bands or stimulation frequencies), off-diagonals times √2.
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
      const layout = layoutOf(data.features, id, perChannel);
      const { p, blocks } = layout;
      const q = directionsOf(layout, data.labels.length, typeof set !== 'string');
      const whiteners = new Float64Array(blocks * q * p);
      for (let b = 0; b < blocks; b += 1) {
        const own =
          q < p
            ? strongest(data.features, id, layout, b, rows, q)
            : invsqrtm(meanOf(data.features, id, layout, b, rows, workspace), p);
        whiteners.set(own, b * q * p);
      }
      return { set: id, p, q, blocks, whiteners };
    },
    apply(head, features, rows) {
      const [p, q, blocks] = [head['p'] as number, head['q'] as number, head['blocks'] as number];
      const matrices = (b: number, from: number, count: number, out: Float64Array): void => {
        matricesOf(features, head['set'] as string, { p, blocks }, b, rows.subarray(from, from + count), out);
      };
      return {
        x: logVectorsThrough(head['whiteners'] as Float64Array, { blocks, n: rows.length, p, q }, matrices),
        dimension: packedSize(q) * blocks,
      };
    },
  };
}

/** The feature set whose id starts like `prefix` (parameterised sets such as `ssvep/13,17`). */
export function idLike(sets: Readonly<Record<string, Float64Array>>, prefix: string): string {
  const id = Object.keys(sets).find((key) => key.startsWith(prefix));
  if (id === undefined) throw new Error(`No feature set ${prefix}… among ${Object.keys(sets).join(', ')}.`);
  return id;
}
