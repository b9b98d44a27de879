import { invalidField } from '../../../infra/contract/invalid-request.ts';
import type { RouteInput } from '../route.ts';

type Query = RouteInput<unknown>['query'];

/** A whole number of the query. Throws INVALID_REQUEST with the bounds for any other value. */
export function wholeOf(query: Query, name: string, { min, max, usual }: Record<'min' | 'max' | 'usual', number>) {
  const text = query[name];
  if (text === undefined) return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw invalidField(name, `${name} must be a whole number from ${min} to ${max}.`, [usual]);
  return value;
}

/** A query value that must be one of the table's names; undefined if it is absent. */
export function oneOf<T extends string>(query: Query, name: string, allowed: readonly T[]): T | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  const found = allowed.find((each) => each === text);
  if (found === undefined) throw invalidField(name, `${name} must be one of ${allowed.join(', ')}.`, [...allowed]);
  return found;
}
