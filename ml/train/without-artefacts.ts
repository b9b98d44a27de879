import { artefacts } from '../evidence/artefacts.ts';
import { loudnessSet } from '../features/index.ts';
import type { Workspace } from '../methods/index.ts';
import { range, takeRows, valuesAt } from '../rows.ts';
import type { Fold, TrainingData } from './types.ts';

/**
 * The trials among `rows` that a fit learns from: those without artefacts. Artefacts are detected among `rows` alone,
 * so that a fold excludes the same trials as a fit on its training trials would. Trials with artefacts are scored and
 * predicted like others. Returns `rows` itself where there are none, and where the stored features lack the loudness.
 */
export function rowsWithoutArtefacts(data: TrainingData, rows: Int32Array, workspace: Workspace): Int32Array {
  const { sets, shape } = data.features;
  const steps = sets[loudnessSet];
  if (!steps) return rows;
  return workspace.once([data, rows], 'without artefacts', () => {
    const found = new Set(artefacts({ ...data, steps, channels: shape.channels }, rows));
    return found.size === 0 ? rows : rows.filter((row) => !found.has(row));
  });
}

/** All trials without artefacts. Repeated calls return the same object. */
export const allWithoutArtefacts = (data: TrainingData, workspace: Workspace): Int32Array =>
  rowsWithoutArtefacts(
    data,
    workspace.once([data], 'all trials', () => range(data.labels.length)),
    workspace,
  );

/** The fold with training trials without artefacts. Repeated calls return the same object. */
export const foldWithoutArtefacts = (data: TrainingData, fold: Fold, workspace: Workspace): Fold =>
  workspace.once([data, fold], 'without artefacts', () => {
    const train = rowsWithoutArtefacts(data, fold.train, workspace);
    return train === fold.train ? fold : { ...fold, train };
  });

/** The trials without artefacts of all of `data`, as a data set of their own. */
export function dataWithoutArtefacts(data: TrainingData, workspace: Workspace): TrainingData {
  const { features, labels, sessions, recordings, sampledFrom } = data;
  const rows = allWithoutArtefacts(data, workspace);
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
