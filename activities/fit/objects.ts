import type { FitTarget } from '../types.ts';

/** Object names of a job, all under one prefix so that its end removes them together. */
export const jobPrefix = ({ modelId, jobId }: FitTarget): string => `fits/${modelId}/${jobId}/`;
export const featuresRef = (job: FitTarget): string => `${jobPrefix(job)}features`;
export const scoreRef = (job: FitTarget, method: string): string =>
  `${jobPrefix(job)}score-${method.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`;
export const reportRef = (job: FitTarget): string => `${jobPrefix(job)}report`;
/** Of one job, so that a job that fails can remove it whatever became of the model. */
export const modelRef = ({ modelId, jobId }: FitTarget): string => `models/${modelId}/${jobId}`;

/** Prefixes of everything a model ever stored, and of what it needs no more once it is fitted. */
export const modelPrefixes = {
  features: (modelId: string) => [`staged/${modelId}/`, `features/${modelId}/`, `fits/${modelId}/`],
  all: (modelId: string) => [...modelPrefixes.features(modelId), `models/${modelId}/`],
} as const;
