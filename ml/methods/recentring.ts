import { congruence, invsqrtm, packUpper, packedSize, powm, sqrtm } from '../geometry/index.ts';
import { averageOf, layoutOf, matricesOf, meanOf, meanOfRows, transport } from './parts/spd.ts';
import type { SpdLayout } from './parts/spd.ts';
import { placeAndSpread, rescaled } from './parts/robust-scale.ts';
import { readWhole } from './parts/tangent-space.ts';
import { joinTables, putRows, range } from '../rows.ts';
import type { Workspace } from './workspace.ts';
import type { Features } from '../types.ts';
import type { Fold } from '../evidence/types.ts';
import type { Centring, TrainingData } from './types.ts';

/** A batch of n trials is trusted by n / (n + batchPrior): a small one stays close to the training trials. */
export const batchPrior = 8;

/**
 * Feature sets that can be recentred, and how: covariances are transported, log powers shifted, what sleep is read from
 * shifted and scaled; evoked amplitudes stay.
 */
const kinds: readonly { readonly prefix: string; readonly kind: 'spd' | 'spd-whole' | 'vector' | 'scaled' }[] = [
  { prefix: 'sleep', kind: 'scaled' },
  { prefix: 'cov/', kind: 'spd' },
  { prefix: 'fbcov', kind: 'spd' },
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

function centreMatrix(
  features: Features,
  set: string,
  layout: SpdLayout,
  block: number,
  rows: Int32Array,
  workspace: Workspace,
  centring: Centring,
): Float64Array {
  return centring === 'euclidean'
    ? averageOf(features, set, layout, block, rows)
    : meanOf(features, set, layout, block, rows, workspace);
}

/**
 * Centre of some trials: the mean matrices [blocks × p × p] of all blocks or of one, or the mean vector, or medians and
 * spreads; null for sets that are not recentred.
 */
export function centreOf(
  data: TrainingData,
  set: string,
  rows: Int32Array,
  workspace: Workspace,
  centring: Centring,
  block: number | null = null,
): Float64Array | null {
  const kind = kindOf(set);
  if (kind === null) return null;
  const values = data.features.sets[set];
  const width = values.length / data.features.trials;
  if (kind === 'vector') return meanOfRows(values, width, 0, width, rows);
  if (kind === 'scaled') return placeAndSpread(values, width, rows);
  const layout = layoutOf(data.features, set, kind === 'spd');
  const blocks = block === null ? Array.from({ length: layout.blocks }, (_, b) => b) : [block];
  return joinTables(blocks.map((b) => centreMatrix(data.features, set, layout, b, rows, workspace, centring)));
}

/**
 * The blocks of a set whose centres are as much work each as fitting a method and share nothing with it: Riemannian
 * means of wide matrices, of which fits read the strongest directions only. Empty for all others.
 */
export function dearCentres({ features, labels }: TrainingData, set: string, centring: Centring): readonly number[] {
  const kind = kindOf(set);
  if (centring === 'euclidean' || (kind !== 'spd' && kind !== 'spd-whole')) return [];
  const layout = layoutOf(features, set, kind === 'spd');
  const whole = readWhole(layout, labels.length, set.startsWith('ssvep/'));
  return whole ? [] : Array.from({ length: layout.blocks }, (_, b) => b);
}

/** Values of `rows` with their own centre moved onto `centre`, trusted by how many they are. [rows × dimension] */
function moved(
  features: Features,
  set: string,
  rows: Int32Array,
  centre: Float64Array,
  workspace: Workspace,
  centring: Centring,
): Float64Array {
  const kind = kindOf(set)!;
  const values = features.sets[set];
  const width = values.length / features.trials;
  const trust = rows.length / (rows.length + batchPrior);
  if (kind === 'scaled') return rescaled(values, width, rows, centre, trust);
  const out = new Float64Array(rows.length * width);
  if (kind === 'vector') {
    const mean = meanOfRows(values, width, 0, width, rows);
    rows.forEach((row, i) => {
      for (let j = 0; j < width; j += 1) out[i * width + j] = values[row * width + j] - trust * (mean[j] - centre[j]);
    });
    return out;
  }
  const layout = layoutOf(features, set, kind === 'spd');
  const { p } = layout;
  const size = packedSize(p);
  for (let b = 0; b < layout.blocks; b += 1) {
    const c = matricesOf(features, set, layout, b, rows);
    const to = centre.subarray(b * p * p, (b + 1) * p * p);
    const root = sqrtm(to, p);
    const seen = congruence(invsqrtm(to, p), centreMatrix(features, set, layout, b, rows, workspace, centring), 1, p);
    const from = congruence(root, powm(seen, p, trust), 1, p);
    const packed = packUpper(transport(c, rows.length, p, from, to), rows.length, p);
    for (let i = 0; i < rows.length; i += 1) out.set(packed.subarray(i * size, (i + 1) * size), i * width + b * size);
  }
  return out;
}

/** Features of one batch, recentred as a whole onto the training trials (`align: "batch"`). */
export function alignBatch(
  features: Features,
  centres: Readonly<Record<string, Float64Array>>,
  workspace: Workspace,
  centring: Centring,
): Features {
  const rows = range(features.trials);
  const sets = Object.fromEntries(
    Object.entries(features.sets).map(([set, values]) => [
      set,
      centres[set] ? moved(features, set, rows, centres[set], workspace, centring) : values,
    ]),
  );
  return { ...features, sets, aligned: true };
}

/** The data's features with every session among `rows` recentred onto `centre` of a set. */
export function recentreSessions(
  data: TrainingData,
  set: string,
  rows: Int32Array,
  centre: Float64Array,
  workspace: Workspace,
  centring: Centring,
): Float64Array {
  const values = data.features.sets[set].slice();
  const width = values.length / data.features.trials;
  for (const group of bySession(data, rows, workspace)) {
    putRows(values, width, group, moved(data.features, set, group, centre, workspace, centring));
  }
  return values;
}

/** Features in which each held-out session of a fold arrives as one aligned batch. */
export function alignFold(
  data: TrainingData,
  fold: Fold,
  sets: readonly string[],
  workspace: Workspace,
  centring: Centring,
): Features {
  return workspace.once([data, fold], `aligned ${centring}:${sets.join('+')}`, () => ({
    ...data.features,
    aligned: true as const,
    sets: Object.fromEntries(
      sets.map((set) => [
        set,
        workspace.once([data, fold], `aligned set ${centring}:${set}`, () => {
          const centre = centreOf(data, set, fold.train, workspace, centring);
          return centre ? recentreSessions(data, set, fold.test, centre, workspace, centring) : data.features.sets[set];
        }),
      ]),
    ),
  }));
}

/** The rows of each recording (else session) among `rows`, the same lists each time they are asked for. */
function bySession(data: TrainingData, rows: Int32Array, workspace: Workspace): readonly Int32Array[] {
  return workspace.once([data.labels, rows], 'by session', () => {
    const groups = data.recordings ?? data.sessions;
    const named = [...new Set(rows.map((row) => groups?.[row] ?? 0))];
    return named.map((group) => rows.filter((row) => (groups?.[row] ?? 0) === group));
  });
}
