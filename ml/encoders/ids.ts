import type { WeightsId } from './types.ts';

/** A feature set that an encoder makes. */
export interface EncodedSet extends WeightsId {
  /** Which of the encoder's sets. */
  readonly name: string;
}

/** `robust-sleep-net/07ed…/alone`: the id of a set says whose weights made it. */
export const encodedId = ({ id, hash, name }: EncodedSet): string => `${id}/${hash}/${name}`;

/** Reads such an id; null for another set's. */
export function readEncodedId(set: string): EncodedSet | null {
  const [, id, hash, name] = /^([a-z0-9-]+)\/([0-9a-f]{64})\/([a-z]+)$/.exec(set) ?? [];
  return id === undefined ? null : { id, hash, name };
}

/** Weights that made the sets, each once. */
export function weightsOf(sets: readonly string[]): readonly WeightsId[] {
  const known = new Map<string, WeightsId>();
  for (const set of sets) {
    const read = readEncodedId(set);
    if (read) known.set(`${read.id}/${read.hash}`, { id: read.id, hash: read.hash });
  }
  return [...known.values()];
}
