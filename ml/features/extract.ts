import { joinTables, takeRows } from '../rows.ts';
import type { Features, SignalShape, Trials } from '../types.ts';
import { extractInto } from './extract-into.ts';
import { recipeOf } from './registry.ts';
import { shapeOf } from './trial-source.ts';
import { currentVersions, familyOf, versionsOf } from './versions.ts';
import type { FeatureVersions } from './versions.ts';

/**
 * Values of the feature sets `ids` for every trial at the given versions of their families (default: the current ones);
 * filtered signals are shared between sets. Throws a RangeError for an unknown id and for a version that this code does
 * not hold.
 */
export function extractFeatures(
  trials: Trials,
  ids: readonly string[],
  versions: FeatureVersions = currentVersions(ids),
): Features {
  const own = versionsOf(ids, versions);
  const tables = extractInto(
    trials,
    ids.map((id) => recipeOf(id, own[familyOf(id)])),
  );
  return {
    trials: trials.trials,
    shape: shapeOf(trials),
    sets: Object.fromEntries(ids.map((id, i) => [id, tables[i]])),
    versions: own,
  };
}

/**
 * Features of batches of one recording setup, in order, as one. Throws a RangeError where shapes, sets, versions of
 * recipes or resamplers differ. `room`: as in `joinTables`.
 */
export function mergeFeatures(parts: readonly Features[], room?: (values: number) => Float64Array): Features {
  const [first] = parts;
  if (!first) throw new RangeError('There are no batches to merge.');
  for (const part of parts) assertAlike(first, part);
  const trials = parts.reduce((sum, part) => sum + part.trials, 0);
  const sets = Object.keys(first.sets).map(
    (id) =>
      [
        id,
        joinTables(
          parts.map((part) => part.sets[id]),
          room,
        ),
      ] as const,
  );
  const { versions, standards } = first;
  return {
    trials,
    shape: sharedShape(parts),
    sets: Object.fromEntries(sets),
    versions,
    ...(standards && { standards }),
  };
}

/** The shape of the first part; silent are the channels that are so in every part. */
function sharedShape([{ shape }, ...others]: readonly Features[]): Features['shape'] {
  const { silent = [], ...rest } = shape;
  const shared = silent.filter((name) => others.every((part) => part.shape.silent?.includes(name)));
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

function assertAlike(a: Features, b: Features): void {
  const text = ({ shape, sets, versions }: Features): string =>
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
