import { framesOf, movementCard, movementNetworks } from '../../encoders/movement/index.ts';
import type { Activation, Layer, Network } from '../../encoders/movement/index.ts';
import { packedSize } from '../../geometry/index.ts';
import { matmulByRows } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import type { Bank } from './centres.ts';
import { filterTables } from './filters.ts';
import type { BandFilters } from './filters.ts';

/** Where the network reads: its weights, the site of each electrode, and the mean covariance of each band. */
export interface Place {
  readonly hash: string;
  readonly sites: Int32Array;
  /** [bands × p × p], see `bandCentres`. */
  readonly centres: Float64Array;
}

/** Last hidden layers [trials × width] of each network: of the trials, and of their mirror images. */
export interface Hidden {
  readonly plain: readonly Matrix[];
  readonly mirrored: readonly Matrix[];
}

/** Networks that are averaged. A benchmark leaves out those that have seen a person; null: all. */
let restricted: readonly number[] | null = null;
export function restrictNetworks(some: readonly number[] | null): void {
  restricted = some;
}

const networksOf = (hash: string): readonly Network[] => {
  const { all } = movementNetworks(hash);
  return restricted ? restricted.map((n) => all[n]) : all;
};

const tables = new WeakMap<Place, readonly BandFilters[]>();

function tablesOf(place: Place, networks: readonly Network[]): readonly BandFilters[] {
  const own = tables.get(place) ?? filterTables(networks, place.centres, [...place.sites]);
  tables.set(place, own);
  return own;
}

/** Hidden layers of all trials of a bank. A row depends on its trial alone, bit for bit. */
export function hiddenLayers(bank: Bank, place: Place): Hidden {
  const networks = networksOf(place.hash);
  const logs = logPowers(bank, tablesOf(place, networks), networks);
  const width = logs[0].length / bank.trials;
  const through = networks.map(({ layers }, n) =>
    [0, 1].map((side) => layers.reduce(pass, matrixOf(logs[2 * n + side], width, bank.trials))),
  );
  return { plain: through.map(([plain]) => plain), mirrored: through.map(([, mirrored]) => mirrored) };
}

/**
 * Mean over the networks of the log-odds of a head [trials]. If exchanging the sides of the head exchanges the classes,
 * the difference of both readings, else their mean.
 */
export function logOddsOf({ plain, mirrored }: Hidden, { hash }: Place, head: string): Float64Array {
  const networks = networksOf(hash);
  const isSided = movementCard.heads[head].mirrored;
  const sum = new Float64Array(plain[0].rows);
  networks.forEach(({ heads }, n) => {
    const { weights, bias } = heads[head];
    const [one, other] = [plain[n], mirrored[n]].map((hidden) => matmulByRows(hidden, weights).data);
    for (let i = 0; i < sum.length; i += 1)
      sum[i] += (isSided ? (one[i] - other[i]) / 2 : (one[i] + other[i]) / 2 + bias[0]) / networks.length;
  });
  return sum;
}

/** Inputs of the layers [trials × bands · frames · filters] of each network: plain, then mirrored. */
function logPowers(
  { values, trials, p, bands, windows }: Bank,
  filters: readonly BandFilters[],
  networks: readonly Network[],
): Float64Array[] {
  const count = movementCard.filters;
  const [size, frames] = [packedSize(p), framesOf(movementCard)];
  const columns = networks.length * 2 * count;
  const out = Array.from({ length: networks.length * 2 }, () => new Float64Array(trials * bands * frames * count));
  const covariances = new Float64Array(trials * windows * size);
  for (let b = 0; b < bands; b += 1) {
    for (let t = 0; t < trials; t += 1) {
      const from = (t * bands + b) * windows * size;
      covariances.set(values.subarray(from, from + windows * size), t * windows * size);
    }
    const powers = matmulByRows(matrixOf(covariances, size, trials * windows), filters[b].table).data;
    const framed = frameLogs(powers, { trials, windows, frames, columns });
    out.forEach((table, side) => {
      const { scale, shift } = networks[side >> 1];
      const { level } = filters[b];
      const part = { first: side * count, columns, count, band: b, bands, frames };
      for (let t = 0; t < trials; t += 1) writeNormalised(framed, t, part, level, scale, shift, table);
    });
  }
  return out;
}

interface Frames {
  readonly trials: number;
  readonly windows: number;
  readonly frames: number;
  readonly columns: number;
}

/** Logarithms of the means of adjacent windows' powers. [trials · frames × columns] */
function frameLogs(powers: Float64Array, { trials, windows, frames, columns }: Frames): Float64Array {
  const { frame, eps } = movementCard;
  const out = new Float64Array(trials * frames * columns).fill(eps);
  for (let t = 0; t < trials; t += 1)
    for (let f = 0; f < frames; f += 1)
      for (let w = f; w < f + frame; w += 1) {
        const [from, to] = [(t * windows + w) * columns, (t * frames + f) * columns];
        for (let c = 0; c < columns; c += 1) out[to + c] += Math.max(powers[from + c], 0) / frame;
      }
  for (let i = 0; i < out.length; i += 1) out[i] = Math.log(out[i]);
  return out;
}

/** Columns of one network and side, and their place among the inputs. */
interface Part {
  readonly first: number;
  readonly columns: number;
  readonly count: number;
  readonly band: number;
  readonly bands: number;
  readonly frames: number;
}

function writeNormalised(
  logs: Float64Array,
  t: number,
  { first, columns, count, band, bands, frames }: Part,
  level: Float64Array,
  scale: Float64Array,
  shift: Float64Array,
  out: Float64Array,
): void {
  let to = (t * bands + band) * frames * count;
  for (let f = 0, from = t * frames * columns + first; f < frames; f += 1, from += columns)
    for (let c = 0, k = band * count; c < count; c += 1, k += 1, to += 1)
      out[to] = (logs[from + c] - level[first + c]) * scale[k] + shift[k];
}

function pass(x: Matrix, { weights, bias, activation }: Layer): Matrix {
  const out = matmulByRows(x, weights);
  activate(out.data, bias, activation);
  return out;
}

const activations: Readonly<Record<Activation, (x: number) => number>> = {
  linear: (x) => x,
  relu: (x) => Math.max(0, x),
  elu: (x) => (x > 0 ? x : Math.expm1(x)),
  tanh: Math.tanh,
  'gelu-tanh': (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
};

function activate(x: Float64Array, bias: Float64Array, activation: Activation): void {
  const of = activations[activation];
  for (let from = 0; from < x.length; from += bias.length)
    for (let j = 0; j < bias.length; j += 1) x[from + j] = of(x[from + j] + bias[j]);
}
