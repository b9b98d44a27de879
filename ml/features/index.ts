/** Feature sets: per-trial, label-free quantities that methods are fitted on (design, decision 7). */
export { featureSet } from './registry.ts';
export { currentVersions, familyOf, hasFeatureVersion, versionsOf } from './versions.ts';
export type { FeatureVersions } from './versions.ts';
export { commonForm, extractFeatures, rowsOf } from './extract.ts';
export {
  dimensionOf,
  encodedUpToHz,
  encodingSeconds,
  encodeTrials,
  isEncoded,
  isReadTogether,
  readFeatures,
  readsFixedSites,
  withEncoded,
} from './encoded.ts';
export type { Encoded, Reading } from './encoded.ts';
export { shapeOf } from './trial-source.ts';
export { silenced, trialsAt } from './some-trials.ts';
export { usableHz } from './bands.ts';
export { cosinesOf, fewestCoefficients } from './cosine-set.ts';
export { leastLength } from './least-length.ts';
export { channelParts, hasChannelParts } from './axes.ts';
export { silent } from './muscles-set.ts';
export { loudnessSet } from './loudness-set.ts';
