import { movementCard, movementNetworks } from '../../encoders/movement/index.ts';
import type { Network } from '../../encoders/movement/index.ts';
import { quadraticReadings } from '../../linalg/index.ts';
import type { BandReading } from '../../linalg/index.ts';
import type { Bank } from './centres.ts';
import { denseTables } from './dense.ts';
import { filtersAt, recentredFilters } from './filters.ts';

/** How trials are read: the weights, the site of each electrode, and the mean covariance of each band. */
export interface MovementReader {
  readonly hash: string;
  /** Indices of the networks that are averaged; absent: all. */
  readonly networks?: Int32Array;
  readonly sites: Int32Array;
  /** [bands × p × p], see `bandCentres`. */
  readonly centres: Float64Array;
}

/** Hidden layers [rows × networks × 2 × width]: of trials, and of their mirror images. */
export interface Hidden {
  readonly values: Float64Array;
  readonly networks: number;
  readonly width: number;
}

/** Lists of some of the networks, one object for each choice: what is computed from a list is cached by it. */
const subsets = new WeakMap<readonly Network[], Map<string, readonly Network[]>>();

function networksOf({ hash, networks }: Pick<MovementReader, 'hash' | 'networks'>): readonly Network[] {
  const { all } = movementNetworks(hash);
  if (!networks) return all;
  const known = subsets.get(all) ?? new Map<string, readonly Network[]>();
  const some = known.get(networks.join()) ?? Array.from(networks, (n) => all[n]);
  subsets.set(all, known.set(networks.join(), some));
  return some;
}

/** What does not depend on the training trials: filters and biases at some sites. */
interface Sited {
  readonly sites: Int32Array;
  readonly filters: ReturnType<typeof filtersAt>;
  /** Bias of each hidden value. */
  readonly bias: Float64Array;
}

/** The last sites of each list of networks: the folds of a fit have the same ones. */
const lastSites = new WeakMap<readonly Network[], Sited>();

function atSites(networks: readonly Network[], sites: Int32Array): Sited {
  const last = lastSites.get(networks);
  if (last && last.sites.join() === sites.join()) return last;
  const filters = filtersAt(networks, [...sites]);
  const own = { sites, filters, bias: denseTables(networks).biasAt(filters.levels) };
  lastSites.set(networks, own);
  return own;
}

/** Networks prepared for a reader: the tables of each band, and the bias of each hidden value. */
interface Prepared {
  readonly networks: readonly Network[];
  readonly bands: readonly BandReading[];
  readonly bias: Float64Array;
}

const prepared = new WeakMap<MovementReader, Prepared>();

function prepare(reader: MovementReader, networks: readonly Network[]): Prepared {
  const known = prepared.get(reader);
  if (known?.networks === networks) return known;
  const { filters, bias } = atSites(networks, reader.sites);
  const { tables } = denseTables(networks);
  const bands = recentredFilters(filters, reader.centres).map((own, b) => ({ filters: own, dense: tables[b] }));
  const own = { networks, bands, bias };
  prepared.set(reader, own);
  return own;
}

/** Room for the hidden layers of all trials. */
export function emptyHidden(trials: number, reader: MovementReader): Hidden {
  const { length: networks, [0]: first } = networksOf(reader);
  const width = first.dense.bias.length;
  return { values: new Float64Array(trials * networks * 2 * width), networks, width };
}

/** Hidden layers of some trials of a bank, one row for each. A row depends on its trial alone, bit for bit. */
export function hiddenLayers({ values, p, windows }: Bank, reader: MovementReader, rows: Int32Array): Hidden {
  const networks = networksOf(reader);
  const { bands, bias } = prepare(reader, networks);
  const { filters: each, eps } = movementCard;
  const width = networks[0].dense.bias.length;
  const read = quadraticReadings(values, bands, {
    rows,
    windows,
    side: p,
    columns: networks.length * 2 * each,
    each,
    hidden: width,
    eps,
  });
  const out = new Float64Array(read);
  for (let from = 0; from < out.length; from += bias.length)
    for (let j = 0; j < bias.length; j += 1) out[from + j] += bias[j];
  return { values: out, networks: networks.length, width };
}

/**
 * Mean over the networks of the log-odds of a head, for some rows of the hidden layers. If exchanging the sides of the
 * head exchanges the classes, the difference of both readings, else their mean.
 */
export function logOddsOf(
  { values, networks: count, width }: Hidden,
  reader: MovementReader,
  head: string,
  rows: Int32Array,
): Float64Array {
  const heads = networksOf(reader).map(({ heads: own }) => own[head]);
  const sign = movementCard.heads[head].mirrored ? -1 : 1;
  const row = count * 2 * width;
  const out = new Float64Array(rows.length);
  for (let n = 0; n < count; n += 1) {
    const { weights, bias } = heads[n];
    for (let t = 0; t < out.length; t += 1) {
      const from = rows[t] * row + 2 * n * width;
      let sum = sign < 0 ? 0 : 2 * bias;
      for (let h = 0; h < width; h += 1) sum += weights[h] * (values[from + h] + sign * values[from + width + h]);
      out[t] += sum / (2 * count);
    }
  }
  return out;
}
