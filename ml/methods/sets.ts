import type { Method } from './types.ts';
import { weightsOf } from '../encoders/ids.ts';
import type { EncoderAvailability, Features } from '../types.ts';

/** The stimulation frequencies that parameterised ids among the sets name; undefined where none does. */
export function frequenciesIn({ sets }: Pick<Features, 'sets'>): readonly number[] | undefined {
  const id = Object.keys(sets).find((set) => /^(ssvep|cca|fbcca)\//.test(set));
  return id
    ?.slice(id.indexOf('/') + 1)
    .split(',')
    .map(Number);
}

/** The encoders whose features are among the sets. */
export function encodersIn({ sets }: Pick<Features, 'sets'>): { readonly encoders?: EncoderAvailability } {
  const found = weightsOf(Object.keys(sets));
  return found.length ? { encoders: Object.fromEntries(found.map(({ id, hash }) => [id, { hash }])) } : {};
}

/**
 * Feature sets that a method reads of these features; where those of an immediate fit are not there, those of a
 * deferred one.
 */
export function setsOf(method: Method, features: Features): readonly string[] {
  const frequenciesHz = frequenciesIn(features);
  const shape = { ...(frequenciesHz ? { frequenciesHz } : {}), ...encodersIn(features) };
  const sets = method.featureSets(shape);
  return sets.every((set) => set in features.sets) ? sets : method.featureSets({ ...shape, storedFeaturesOnly: true });
}
