import { congruence, invsqrtm, packUpper, packedSize, powm, sqrtm } from '../geometry/index.ts';
import { matrixOf, squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { averageOf, matricesOf, meanOf, meanOfRows, spdSet, transport } from './parts/spd.ts';
import type { SpdSet } from './parts/spd.ts';
import { medianAndSpread, rescaled } from './parts/robust-scale.ts';
import { readWhole } from './parts/tangent-space.ts';
import { joinTables, putRows, range } from '../rows.ts';
import { bandCentres, bankOf } from './movement/centres.ts';
import { movedBank } from './movement/moved-bank.ts';
import type { Workspace } from './workspace.ts';
import type { Features } from '../types.ts';
import type { Fold } from '../evidence/types.ts';
import type { Centring, TrainingData } from './types.ts';

/** A batch of n trials moves n / (n + batchPrior) of the way, so a small batch stays close to the training trials. */
export const batchPrior = 8;

/**
 * Feature sets that can be recentred, and how: covariances are transported, log powers are shifted, sleep features are
 * shifted and scaled. Evoked amplitudes are not changed.
 */
const kinds: readonly {
  readonly prefix: string;
  readonly kind: 'spd' | 'spd-whole' | 'bands' | 'vector' | 'scaled';
}[] = [
  { prefix: 'sleep', kind: 'scaled' },
  { prefix: 'cov/', kind: 'spd' },
  { prefix: 'fbcov', kind: 'spd' },
  { prefix: 'movement/', kind: 'bands' },
  { prefix: 'ssvep/', kind: 'spd-whole' },
  { prefix: 'acm/', kind: 'spd-whole' },
  { prefix: 'logpower', kind: 'vector' },
  { prefix: 'logspectrum', kind: 'vector' },
  { prefix: 'sites19/', kind: 'vector' },
  { prefix: 'laplacian/', kind: 'vector' },
];
const kindOf = (set: string) => kinds.find((row) => set.startsWith(row.prefix))?.kind ?? null;

/** How a method is recentred. */
export const centringOf = ({ centring = 'riemannian' }: { readonly centring?: Centring }): Centring => centring;

/** The mean that recentres covariances, and the cache of the methods of a fold. */
export interface Recentring {
  readonly workspace: Workspace;
  readonly centring: Centring;
  /** As in `FittedModel`. */
  readonly othersCount?: number | undefined;
}

const centreMatrix = (source: SpdSet, block: number, rows: Int32Array, { workspace, centring }: Recentring): Matrix =>
  centring === 'euclidean' ? averageOf(source, block, rows) : meanOf(source, block, rows, workspace);

/**
 * Centre of some trials: mean matrices [blocks × p × p], of all blocks or of `block` alone; the mean vector
 * [dimension]; or medians and spreads [2 × dimension]. Null for sets that are not recentred.
 */
export function centreOf(
  data: TrainingData,
  set: string,
  rows: Int32Array,
  { block = null, ...recentring }: Recentring & { readonly block?: number | null },
): Float64Array | null {
  const kind = kindOf(set);
  if (kind === null) return null;
  const values = data.features.sets[set];
  const table = matrixOf(values, values.length / data.features.trials);
  if (kind === 'vector') return meanOfRows(table, rows);
  if (kind === 'scaled') return medianAndSpread(table, rows);
  if (kind === 'bands') return bandCentres(bankOf(data.features, set), rows);
  const source = spdSet(data.features, set, kind === 'spd');
  const blocks = block === null ? Array.from({ length: source.blocks }, (_, b) => b) : [block];
  return joinTables(blocks.map((b) => centreMatrix(source, b, rows, recentring).data));
}

/**
 * Blocks of a set whose centre takes as long as fitting a method and reuses none of its work: Riemannian means of large
 * matrices, of which fits use only the strongest directions. Empty for other sets.
 */
export function expensiveCentres(
  { features, labels }: TrainingData,
  set: string,
  centring: Centring,
): readonly number[] {
  const kind = kindOf(set);
  if (centring === 'euclidean' || (kind !== 'spd' && kind !== 'spd-whole')) return [];
  const source = spdSet(features, set, kind === 'spd');
  const whole = readWhole(source, labels.length, set.startsWith('ssvep/'));
  return whole ? [] : Array.from({ length: source.blocks }, (_, b) => b);
}

/**
 * Values of `rows` [rows × dimension], the trials of one recording, after their own centre has moved towards `centre`.
 * More rows move it closer.
 */
function moved(
  { features, set }: Pick<SpdSet, 'features' | 'set'>,
  rows: Int32Array,
  centre: Float64Array,
  recentring: Recentring,
): Float64Array {
  const kind = kindOf(set)!;
  const values = features.sets[set];
  const width = values.length / features.trials;
  const table = matrixOf(values, width, features.trials);
  const trust = rows.length / (rows.length + (recentring.othersCount ?? batchPrior));
  if (kind === 'scaled') return rescaled(table, rows, centre, trust);
  const out = new Float64Array(rows.length * width);
  if (kind === 'vector') {
    const mean = meanOfRows(table, rows);
    rows.forEach((row, i) => {
      for (let j = 0; j < width; j += 1) out[i * width + j] = values[row * width + j] - trust * (mean[j] - centre[j]);
    });
    return out;
  }
  if (kind === 'bands')
    return movedBank(bankOf(features, set), rows, centre, { trust, otherScale: recentring.othersCount !== undefined });
  const source = spdSet(features, set, kind === 'spd');
  const { p } = source;
  const size = packedSize(p);
  for (let b = 0; b < source.blocks; b += 1) {
    const c = matricesOf(source, b, rows);
    const to = squareOf(centre.subarray(b * p * p, (b + 1) * p * p), p);
    const root = sqrtm(to);
    const seen = congruence(invsqrtm(to), centreMatrix(source, b, rows, recentring));
    const from = congruence(root, powm(seen, trust));
    const packed = packUpper(transport(c, from, to));
    for (let i = 0; i < rows.length; i += 1) out.set(packed.subarray(i * size, (i + 1) * size), i * width + b * size);
  }
  return out;
}

/** Features of one batch, recentred as a whole onto the training trials (`align: "batch"`). */
export function alignBatch(
  features: Features,
  centres: Readonly<Record<string, Float64Array>>,
  recentring: Recentring,
): Features {
  const rows = range(features.trials);
  const sets = Object.fromEntries(
    Object.entries(features.sets).map(([set, values]) => [
      set,
      centres[set] ? moved({ features, set }, rows, centres[set], recentring) : values,
    ]),
  );
  return { ...features, sets, aligned: true };
}

/** Trials of one feature set, and the centre towards which their sessions move. */
export interface SessionsToMove {
  readonly data: TrainingData;
  readonly set: string;
  readonly rows: Int32Array;
  readonly centre: Float64Array;
}

/** All values of a set [trials × dimension], with each session among `rows` recentred onto `centre`. */
export function recentreSessions({ data, set, rows, centre }: SessionsToMove, recentring: Recentring): Float64Array {
  const values = data.features.sets[set].slice();
  const width = values.length / data.features.trials;
  for (const group of bySession(data, rows, recentring.workspace))
    putRows(values, width, group, moved({ features: data.features, set }, group, centre, recentring));
  return values;
}

/** Features of a fold in which each held-out session is one aligned batch. */
export function alignFold(data: TrainingData, fold: Fold, sets: readonly string[], recentring: Recentring): Features {
  const { workspace, centring } = recentring;
  return workspace.once([data, fold], `aligned ${centring}:${sets.join('+')}`, () => ({
    ...data.features,
    aligned: true as const,
    sets: Object.fromEntries(
      sets.map((set) => [
        set,
        workspace.once([data, fold], `aligned set ${centring}:${set}`, () => {
          const centre = centreOf(data, set, fold.train, recentring);
          const test = { data, set, rows: fold.test };
          return centre ? recentreSessions({ ...test, centre }, recentring) : data.features.sets[set];
        }),
      ]),
    ),
  }));
}

/** The rows of each recording (else session) among `rows`. Repeated calls return the same lists. */
function bySession(data: TrainingData, rows: Int32Array, workspace: Workspace): readonly Int32Array[] {
  return workspace.once([data.labels, rows], 'by session', () => {
    const groups = data.recordings ?? data.sessions;
    const named = [...new Set(rows.map((row) => groups?.[row] ?? 0))];
    return named.map((group) => rows.filter((row) => (groups?.[row] ?? 0) === group));
  });
}
