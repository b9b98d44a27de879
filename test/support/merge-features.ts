import { commonForm } from '../../ml/features/index.ts';
import { joinTables } from '../../ml/rows.ts';
import type { FeatureForm, Features } from '../../ml/types.ts';

/** Features without their numbers. */
export const formOf = ({ sets, ...features }: Features): FeatureForm => ({
  ...features,
  sets: Object.fromEntries(Object.entries(sets).map(([id, { length }]) => [id, length / features.trials])),
});

/** Features of batches, in order, as one. */
export function mergeFeatures(parts: readonly Features[]): Features {
  const { sets, ...form } = commonForm(parts.map(formOf));
  const joined = Object.keys(sets).map((id) => [id, joinTables(parts.map((part) => part.sets[id]!))] as const);
  return { ...form, sets: Object.fromEntries(joined) };
}
