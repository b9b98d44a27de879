import { encoderAt } from '../encoders/index.ts';
import { encodedId, encodersOfSets, readEncodedId } from '../encoders/ids.ts';
import type { Encoders } from '../encoders/types.ts';
import type { Features, SignalShape, Trials } from '../types.ts';
import { extractFeatures } from './extract.ts';
import { featureSet } from './registry.ts';
import { currentVersions, familyOf, versionsOf } from './versions.ts';
import type { FeatureVersions } from './versions.ts';

/** Context of reading trials, with encoders. */
export interface Reading {
  readonly encoders: Encoders;
  /** As in `EncodeContext`. */
  readonly recordings: readonly Int32Array[] | null;
  /** By the id of the encoder: as in `EncodeContext`. */
  readonly standards?: Readonly<Record<string, Float64Array>>;
  /** Default: the current ones. */
  readonly versions?: FeatureVersions | undefined;
}

/** True if an encoder computes the set. */
export const isEncoded = (set: string): boolean => readEncodedId(set) !== null;

/** True if `align: "none"` cannot use the set, at the given version of its encoder. */
export function isReadTogether(set: string, versions: FeatureVersions = currentVersions([set])): boolean {
  const read = readEncodedId(set);
  return read !== null && (encoderAt(read.id, versions[read.id]).together?.includes(read.name) ?? false);
}

/** Output of encoders: tables by set id, and the reference values by encoder. */
export interface Encoded {
  readonly tables: Readonly<Record<string, Float64Array>>;
  readonly standards: Readonly<Record<string, Float64Array>>;
}

/** Encodes trials: tables [trials × dimension]. */
export async function encodeTrials(
  trials: Trials,
  sets: readonly string[],
  { encoders, recordings, standards = {}, versions = currentVersions(sets) }: Reading,
): Promise<Encoded> {
  const tables: Record<string, Float64Array> = {};
  const against: Record<string, Float64Array> = {};
  for (const { id, hash } of encodersOfSets(sets)) {
    const names = sets.flatMap((set) => {
      const read = readEncodedId(set);
      return read?.id === id && read.hash === hash ? [read.name] : [];
    });
    const encoder = encoderAt(id, versions[id]);
    const run = encoders({ id, hash, version: encoder.version });
    const made = await encoder.encode(trials, names, { recordings, standard: standards[id] }, run);
    for (const name of names) tables[encodedId({ id, hash, name })] = made.tables[name];
    if (made.standard) against[id] = made.standard;
  }
  return { tables, standards: against };
}

/** Number of values of a set per trial, at the given version of its family. */
export function dimensionOf(set: string, versions: FeatureVersions, shape: SignalShape): number {
  const read = readEncodedId(set);
  const version = versions[familyOf(set)];
  return read ? encoderAt(read.id, version).sets[read.name](shape) : featureSet(set, version).dimension(shape);
}

/** True if an encoder computes the set from the 19 fixed sites of such trials. */
export function readsFixedSites(set: string, versions: FeatureVersions, shape: SignalShape): boolean {
  const read = readEncodedId(set);
  return read !== null && (encoderAt(read.id, versions[read.id]).readsFixedSites?.(shape) ?? false);
}

/** Highest frequency in Hz that the encoders of these sets read; 0 without encoders. */
export const encodedUpToHz = (sets: readonly string[], versions: FeatureVersions): number =>
  Math.max(0, ...encodersOfSets(sets).map(({ id }) => encoderAt(id, versions[id]).highestHz));

/** Values of feature sets, computed or encoded; see `extractFeatures` and `encodeTrials`. */
export async function readFeatures(trials: Trials, ids: readonly string[], reading: Reading): Promise<Features> {
  const versions = reading.versions ?? currentVersions(ids);
  const written = ids.filter((id) => !isEncoded(id));
  const encoded = ids.filter(isEncoded);
  const features = extractFeatures(trials, written, versions);
  if (encoded.length === 0) return features;
  return withEncoded(features, await encodeTrials(trials, encoded, { ...reading, versions }), versions);
}

/** Features plus the encoders' output for the same trials, at these versions. */
export const withEncoded = (
  { standards: known = {}, ...features }: Features,
  { tables, standards }: Encoded,
  versions: FeatureVersions = currentVersions(Object.keys(tables)),
): Features => ({
  ...features,
  sets: { ...features.sets, ...tables },
  versions: { ...features.versions, ...versionsOf(Object.keys(tables), versions) },
  standards: { ...known, ...standards },
});

/** Estimated seconds to encode trials for these sets, on one core. */
export const encodingSeconds = (sets: readonly string[], trials: number, shape: SignalShape): number =>
  encodersOfSets(sets).reduce((sum, { id }) => sum + trials * encoderAt(id).secondsOf(shape), 0);
