import type { Method } from './types.ts';
import type { Features } from '../types.ts';

/**
 * Feature sets that a method reads of these features; the stimulation frequencies are read off the parameterised ids.
 */
export function setsOf(method: Method, features: Features): readonly string[] {
  const id = Object.keys(features.sets).find((set) => /^(ssvep|cca|fbcca)\//.test(set));
  const frequenciesHz = id
    ?.slice(id.indexOf('/') + 1)
    .split(',')
    .map(Number);
  return method.featureSets(frequenciesHz ? { frequenciesHz } : {});
}
