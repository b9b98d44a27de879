import { WeightsFault } from '../../weights/index.ts';
import type { Weights } from '../../weights/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import type { Activation, MovementCard } from './card.ts';

/** A dense layer: activation(x·Wᵀ + b). */
export interface Layer {
  /** [outputs × inputs] */
  readonly weights: Matrix;
  readonly bias: Float64Array;
  readonly activation: Activation;
}

/** One network: quadratic in the trial up to the logarithm of its powers, then dense layers. */
export interface Network {
  /** Spatial filters [bands × filters × sites]. */
  readonly filters: Float64Array;
  /** Normalisation of the logarithms: x · scale + shift. [bands × filters] */
  readonly scale: Float64Array;
  readonly shift: Float64Array;
  readonly layers: readonly Layer[];
  /** Log-odds of each head from the last hidden layer, by its name. */
  readonly heads: Readonly<Record<string, Layer>>;
}

/** The networks of the folds, and the mean of people. */
export interface Networks {
  readonly all: readonly Network[];
  /** Mean over people of the mean covariance of each band [bands × sites × sites]. */
  readonly centre: Float64Array;
}

/** Frames of a trial: runs of adjacent windows. */
export const framesOf = ({ windows, frame }: Pick<MovementCard, 'windows' | 'frame'>): number =>
  windows.length - frame + 1;

/** Reads the networks of a card from their weights. Throws a WeightsFault if a tensor is missing or has another shape. */
export function networksFrom(weights: Weights, card: MovementCard): Networks {
  const { sites, bands, filters, layers, heads } = card;
  const values = (name: string, ...dims: readonly number[]): Float64Array => {
    const tensor = weights.get(name);
    if (!tensor) throw new WeightsFault(`it holds no tensor "${name}"`);
    if (tensor.dims.join() !== dims.join())
      throw new WeightsFault(`its tensor "${name}" is ${tensor.dims.join(' × ')} instead of ${dims.join(' × ')}`);
    return Float64Array.from(tensor.data);
  };
  const inputs = bands.length * filters * framesOf(card);
  const layerOf = (name: string, outputs: number, width: number, activation: Activation): Layer => ({
    weights: matrixOf(values(`${name}.weight`, outputs, width), width, outputs),
    bias: values(`${name}.bias`, outputs),
    activation,
  });
  const network = (n: number): Network => {
    let width = inputs;
    const own = layers.map(({ name, activation }) => {
      const outputs = weights.get(`${n}.${name}.bias`)?.dims[0] ?? 0;
      const layer = layerOf(`${n}.${name}`, outputs, width, activation);
      width = outputs;
      return layer;
    });
    return {
      filters: values(`${n}.filters`, bands.length, filters, sites.length),
      scale: values(`${n}.scale`, bands.length, filters),
      shift: values(`${n}.shift`, bands.length, filters),
      layers: own,
      heads: Object.fromEntries(
        Object.keys(heads).map((head) => [head, layerOf(`${n}.${head}`, 1, width, 'linear')]),
      ),
    };
  };
  return {
    all: Array.from({ length: card.networks }, (_, n) => network(n)),
    centre: values('centre', bands.length, sites.length, sites.length),
  };
}
