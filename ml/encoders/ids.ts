import { movementId } from './movement/card.ts';
import type { WeightsId } from './types.ts';

/** A feature set that pretrained weights make or read. */
export interface EncodedSet extends WeightsId {
  /** Which of the sets of these weights. */
  readonly name: string;
}

/** `robust-sleep-net/07ed…/alone`: the id of a set says whose weights it belongs to. */
export const encodedId = ({ id, hash, name }: EncodedSet): string => `${id}/${hash}/${name}`;

/** Reads such an id; null for another set's. */
export function readWeightsSet(set: string): EncodedSet | null {
  const [, id, hash, name] = /^([a-z0-9-]+)\/([0-9a-f]{64})\/([a-z][a-z0-9]*)$/.exec(set) ?? [];
  return id === undefined ? null : { id, hash, name };
}

/**
 * True for weights whose sets are written by a recipe of `ml/features`, without an encoder: the methods read the
 * weights themselves.
 */
export const isWithoutEncoder = ({ id }: Pick<WeightsId, 'id'>): boolean => id === movementId;

/** Reads the id of a set that an encoder makes; null for another set's. */
export function readEncodedId(set: string): EncodedSet | null {
  const read = readWeightsSet(set);
  return read && !isWithoutEncoder(read) ? read : null;
}

/** Weights that the sets belong to, each once. */
export function weightsOf(sets: readonly string[]): readonly WeightsId[] {
  const known = new Map<string, WeightsId>();
  for (const set of sets) {
    const read = readWeightsSet(set);
    if (read) known.set(`${read.id}/${read.hash}`, { id: read.id, hash: read.hash });
  }
  return [...known.values()];
}

/** Weights of the encoders that make the sets, each once. */
export const encodersOfSets = (sets: readonly string[]): readonly WeightsId[] =>
  weightsOf(sets).filter((weights) => !isWithoutEncoder(weights));
