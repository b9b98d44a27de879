import { WeightsFault } from '../../weights/index.ts';
import type { Weights } from '../../weights/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import type { MovementCard } from './card.ts';

/** One network: quadratic in the trial up to the logarithm of its powers, then one linear hidden layer. */
export interface Network {
  /** Spatial filters [bands × filters × sites]. */
  readonly filters: Float64Array;
  /** Normalisation of the logarithms: x · scale + shift. [bands × filters] */
  readonly scale: Float64Array;
  readonly shift: Float64Array;
  /** Hidden layer x·Wᵀ + b, W [width × bands · windows · filters]. */
  readonly dense: { readonly weights: Matrix; readonly bias: Float64Array };
  /** Log-odds of each head from the hidden layer, by its name. */
  readonly heads: Readonly<Record<string, { readonly weights: Float64Array; readonly bias: number }>>;
}

/** The networks of the folds, and the mean of people. */
export interface Networks {
  readonly all: readonly Network[];
  /** Mean over people of the mean covariance of each band [bands × sites × sites]. */
  readonly centre: Float64Array;
}

/**
 * Reads the networks of a card from their weights. Throws a WeightsFault if a tensor is missing or has another shape.
 */
export function networksFrom(weights: Weights, card: MovementCard): Networks {
  const { sites, bands, windows, filters, heads } = card;
  const values = (name: string, ...dims: readonly number[]): Float64Array => {
    const tensor = weights.get(name);
    if (!tensor) throw new WeightsFault(`it holds no tensor "${name}"`);
    if (tensor.dims.join() !== dims.join())
      throw new WeightsFault(`its tensor "${name}" is ${tensor.dims.join(' × ')} instead of ${dims.join(' × ')}`);
    return Float64Array.from(tensor.data);
  };
  const inputs = bands.length * windows.length * filters;
  const network = (n: number): Network => {
    const width = weights.get(`${n}.dense.bias`)?.dims[0] ?? 0;
    return {
      filters: values(`${n}.filters`, bands.length, filters, sites.length),
      scale: values(`${n}.scale`, bands.length, filters),
      shift: values(`${n}.shift`, bands.length, filters),
      dense: {
        weights: matrixOf(values(`${n}.dense.weight`, width, inputs), inputs, width),
        bias: values(`${n}.dense.bias`, width),
      },
      heads: Object.fromEntries(
        Object.keys(heads).map((head) => [
          head,
          { weights: values(`${n}.${head}.weight`, 1, width), bias: values(`${n}.${head}.bias`, 1)[0] },
        ]),
      ),
    };
  };
  return {
    all: Array.from({ length: card.networks }, (_, n) => network(n)),
    centre: values('centre', bands.length, sites.length, sites.length),
  };
}
