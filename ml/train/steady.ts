import { artefacts } from '../evidence/artefacts.ts';
import { loudnessSet } from '../features/index.ts';
import type { Workspace } from '../methods/index.ts';
import { range, takeRows, valuesAt } from '../rows.ts';
import type { Fold, TrainingData } from './types.ts';

/**
 * Those of `rows` that a fit learns from: all but trials of artefacts, which are recognised among `rows` alone, so that
 * a fold leaves out what a fit on its training trials would. They are scored and predicted like others. `rows` itself
 * where there are none, and where a stored batch does not tell.
 */
export function steady(data: TrainingData, rows: Int32Array, workspace: Workspace): Int32Array {
  const { sets, shape } = data.features;
  const steps = sets[loudnessSet];
  if (!steps) return rows;
  return workspace.once([data, rows], 'steady', () => {
    const found = new Set(artefacts({ ...data, steps, channels: shape.channels }, rows));
    return found.size === 0 ? rows : rows.filter((row) => !found.has(row));
  });
}

/** A fold that trains on those alone, the same object each time. */
export const steadyFold = (data: TrainingData, fold: Fold, workspace: Workspace): Fold =>
  workspace.once([data, fold], 'steady', () => {
    const train = steady(data, fold.train, workspace);
    return train === fold.train ? fold : { ...fold, train };
  });

/** The trials that a fit on all of `data` learns from, as data of their own. */
export function steadyData(data: TrainingData, workspace: Workspace): TrainingData {
  const { features, labels, sessions, recordings, sampledFrom } = data;
  const rows = steady(data, range(labels.length), workspace);
  if (rows.length === labels.length) return data;
  const sets = Object.entries(features.sets).map(
    ([set, table]) => [set, takeRows(table, table.length / features.trials, rows)] as const,
  );
  return {
    ...data,
    labels: valuesAt(labels, rows),
    sessions: sessions && valuesAt(sessions, rows),
    ...(recordings && { recordings: valuesAt(recordings, rows) }),
    links: null,
    ...(sampledFrom && { sampledFrom: { ...sampledFrom, rows: valuesAt(sampledFrom.rows, rows), blocks: null } }),
    features: { ...features, trials: rows.length, sets: Object.fromEntries(sets) },
  };
}
