/** Pretrained encoders: their graphs, the graphs' inputs, and the feature sets they compute. */
import { dcrnn } from './dcrnn-tusz/index.ts';
import { labram } from './labram/index.ts';
import { robustSleepNet } from './robust-sleep-net/index.ts';
import type { Encoder } from './types.ts';

export { encodedId, encodersOfSets, weightsOf } from './ids.ts';
export type { Encoders } from './types.ts';

/** The encoders at their current versions, by id. */
export const currentEncoders: Readonly<Record<string, Encoder>> = Object.fromEntries(
  [robustSleepNet, labram, dcrnn].map((encoder) => [encoder.id, encoder]),
);

/** Earlier versions, each kept as long as a hosted model or a stored batch is pinned to it. */
const olderEncoders: readonly Encoder[] = [];

const allOf = (id: string): readonly Encoder[] =>
  [...(Object.hasOwn(currentEncoders, id) ? [currentEncoders[id]] : []), ...olderEncoders].filter(
    (encoder) => encoder.id === id,
  );

/** Versions of an encoder in this code, newest first; empty for an unknown encoder. */
export const encoderVersions = (id: string): readonly number[] => allOf(id).map(({ version }) => version);

/** The encoder at a version, by default the current one. Throws a RangeError if this code lacks it. */
export function encoderAt(id: string, version?: number): Encoder {
  const found = version === undefined ? allOf(id)[0] : allOf(id).find((encoder) => encoder.version === version);
  if (!found) throw new RangeError(`This code does not hold version ${version ?? 'any'} of the encoder ${id}.`);
  return found;
}
