import { resample } from './resample.ts';

/** Resamples rows to the working rate. Every version returns `resampledLength` samples. */
export type Resample = typeof resample;

/**
 * Resamplers of intake by version. New trials go through the highest; the others stay as long as a hosted model or a
 * stored batch is pinned to them.
 */
export const resamplers: Readonly<Record<number, Resample>> = { 1: resample };

export const currentResampler = (): number => Math.max(...Object.keys(resamplers).map(Number));

/** The resampler of a version. Throws RangeError where this code lacks it. */
export function resamplerAt(version: number): Resample {
  if (!Object.hasOwn(resamplers, version))
    throw new RangeError(`This code does not hold version ${version} of the resampler.`);
  return resamplers[version];
}
