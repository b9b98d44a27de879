import type { Method } from './types.ts';
import { weightsOf } from '../encoders/ids.ts';
import type { EncoderAvailability, Features } from '../types.ts';

/** The stimulation frequencies in parameterised ids among the sets; undefined if there are none. */
export function frequenciesIn({ sets }: Pick<Features, 'sets'>): readonly number[] | undefined {
  const id = Object.keys(sets).find((set) => /^(ssvep|cca|fbcca)\//.test(set));
  return id
    ?.slice(id.indexOf('/') + 1)
    .split(',')
    .map(Number);
}

/** The encoders with features among the sets. */
export function encodersIn({ sets }: Pick<Features, 'sets'>): { readonly encoders?: EncoderAvailability } {
  const found = weightsOf(Object.keys(sets));
  return found.length ? { encoders: Object.fromEntries(found.map(({ id, hash }) => [id, { hash }])) } : {};
}

/**
 * Feature sets that a method reads from these features: those of an immediate fit, or, if they are missing, those of a
 * deferred one.
 */
export function setsOf(method: Method, features: Features): readonly string[] {
  const frequenciesHz = frequenciesIn(features);
  const shape = { ...(frequenciesHz ? { frequenciesHz } : {}), ...encodersIn(features) };
  const sets = method.featureSets(shape);
  return sets.every((set) => set in features.sets) ? sets : method.featureSets({ ...shape, storedFeaturesOnly: true });
}
