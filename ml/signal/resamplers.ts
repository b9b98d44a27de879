import { resample } from './resample.ts';

/** Resamples rows to the working rate. Every version returns `resampledLength` samples. */
export type Resample = typeof resample;

/**
 * Resamplers of the intake by version. New trials use the highest version. An older one stays as long as a hosted model
 * or a stored batch is pinned to it.
 */
export const resamplers: Readonly<Record<number, Resample>> = { 1: resample };

export const currentResampler = (): number => Math.max(...Object.keys(resamplers).map(Number));

/** The resampler of a version. Throws a RangeError if this code lacks it. */
export function resamplerAt(version: number): Resample {
  if (!Object.hasOwn(resamplers, version))
    throw new RangeError(`This code does not hold version ${version} of the resampler.`);
  return resamplers[version];
}
