import { movementCard } from '../../encoders/movement/index.ts';
import type { Network } from '../../encoders/movement/index.ts';

/** Dense weights of all networks, applied to the logarithms of the powers. */
export interface DenseTables {
  /** For each band [windows × networks · 2 · filters × width]: of both sides of the head. */
  readonly tables: readonly Float32Array[];
  /** Bias [networks × 2 × width], with the `level` of each filter of each band subtracted. */
  biasAt(levels: readonly Float64Array[]): Float64Array;
}

const known = new WeakMap<readonly Network[], DenseTables>();

/**
 * Tables of the hidden layer, with the normalisation of the logarithms (scale and shift of each filter) multiplied into
 * them. Cached by the list of networks, which must not change.
 */
export function denseTables(networks: readonly Network[]): DenseTables {
  const own = known.get(networks) ?? makeTables(networks);
  known.set(networks, own);
  return own;
}

const { bands, windows, filters: count } = movementCard;

const sizeOf = (networks: readonly Network[]): number =>
  windows.length * networks.length * 2 * count * networks[0].dense.bias.length;

function makeTables(networks: readonly Network[]): DenseTables {
  const width = networks[0].dense.bias.length;
  const columns = networks.length * 2 * count;
  const tables = bands.map((_, b) => {
    const table = new Float32Array(sizeOf(networks));
    networks.forEach((network, n) => {
      for (let w = 0; w < windows.length; w += 1)
        for (let side = 0; side < 2; side += 1)
          for (let f = 0; f < count; f += 1)
            for (let h = 0; h < width; h += 1)
              table[(w * columns + (2 * n + side) * count + f) * width + h] =
                weightOf(network, b, w, f, h) * network.scale[b * count + f];
    });
    return table;
  });
  /** Dense weights summed over the windows [networks × width × bands × filters]. */
  const sums = networks.map((network) =>
    Float64Array.from({ length: width * bands.length * count }, (_, i) => {
      const [h, b, f] = [Math.floor(i / (bands.length * count)), Math.floor(i / count) % bands.length, i % count];
      return windows.reduce((sum, __, w) => sum + weightOf(network, b, w, f, h), 0);
    }),
  );
  return {
    tables,
    biasAt: (levels) => {
      const out = new Float64Array(networks.length * 2 * width);
      networks.forEach((network, n) => {
        for (let side = 0; side < 2; side += 1)
          writeBias(network, sums[n], levels, (2 * n + side) * count, out, (2 * n + side) * width);
      });
      return out;
    },
  };
}

/** The weight of a hidden value for one logarithm; inputs are ordered by band, window and filter. */
const weightOf = ({ dense }: Network, b: number, w: number, f: number, h: number): number =>
  dense.weights.data[h * dense.weights.columns + (b * windows.length + w) * count + f];

function writeBias(
  { dense, scale, shift }: Network,
  sums: Float64Array,
  levels: readonly Float64Array[],
  first: number,
  out: Float64Array,
  at: number,
): void {
  for (let h = 0, i = 0; h < dense.bias.length; h += 1) {
    let sum = dense.bias[h];
    for (let b = 0; b < levels.length; b += 1)
      for (let f = 0; f < count; f += 1, i += 1)
        sum += sums[i] * (shift[b * count + f] - levels[b][first + f] * scale[b * count + f]);
    out[at + h] = sum;
  }
}
