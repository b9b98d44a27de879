import { takeRows } from '../rows.ts';
import type { FeatureForm, Features, SignalShape, Trials } from '../types.ts';
import { extractInto } from './extract-into.ts';
import { recipeOf } from './registry.ts';
import { shapeOf } from './trial-source.ts';
import { currentVersions, familyOf, versionsOf } from './versions.ts';
import type { FeatureVersions } from './versions.ts';

/**
 * Values of the feature sets `ids` for every trial at the given versions of their families (default: the current ones).
 * Sets reuse filtered signals. `into`: output tables by id; default: new ones. Throws RangeError for an unknown id and
 * for a version that this code does not have.
 */
export function extractFeatures(
  trials: Trials,
  ids: readonly string[],
  versions: FeatureVersions = currentVersions(ids),
  into?: Features['sets'],
): Features {
  const own = versionsOf(ids, versions);
  const tables = extractInto(
    trials,
    ids.map((id) => recipeOf(id, own[familyOf(id)])),
    into && ids.map((id) => into[id]),
  );
  return {
    trials: trials.trials,
    shape: shapeOf(trials),
    sets: Object.fromEntries(ids.map((id, i) => [id, tables[i]])),
    versions: own,
  };
}

/**
 * Common form of the features of several batches of one recording setup. Throws RangeError if shapes, sets, versions of
 * recipes or resamplers differ.
 */
export function commonForm(batches: readonly FeatureForm[]): FeatureForm {
  const [first] = batches;
  if (!first) throw new RangeError('There are no batches to merge.');
  for (const batch of batches) assertAlike(first, batch);
  const trials = batches.reduce((sum, batch) => sum + batch.trials, 0);
  return { ...first, trials, shape: sharedShape(batches) };
}

/** The shape of the first batch. A channel is silent if it is silent in every batch. */
function sharedShape([{ shape }, ...others]: readonly FeatureForm[]): SignalShape {
  const { silent = [], ...rest } = shape;
  const shared = silent.filter((name) => others.every((batch) => batch.shape.silent?.includes(name)));
  return shared.length ? { ...rest, silent: shared } : rest;
}

/** Rows `rows` of one feature set, [rows × dimension], in that order. */
export function rowsOf(features: Features, set: string, rows: Int32Array): Float64Array {
  const table = features.sets[set];
  if (!table)
    throw new RangeError(`Features hold no set '${set}'; they hold ${Object.keys(features.sets).join(', ')}.`);
  const dimension = features.trials > 0 ? table.length / features.trials : 0;
  return takeRows(table, dimension, rows);
}

function assertAlike(a: FeatureForm, b: FeatureForm): void {
  const text = ({ shape, sets, versions }: FeatureForm): string =>
    JSON.stringify([describe(shape), Object.keys(sets).sort(), Object.entries(versions).map(String).sort()]);
  if (text(a) !== text(b)) throw new RangeError(`Batches differ: ${text(a)} and ${text(b)}.`);
}

const describe = ({ channelNames, samples, rateHz, sourceRateHz, resampler }: SignalShape): unknown => [
  channelNames,
  samples,
  rateHz,
  Math.min(rateHz, sourceRateHz),
  ...(resampler === undefined ? [] : [`resampler ${resampler}`]),
];
