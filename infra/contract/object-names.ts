import type { FitTarget } from './fit-request.ts';
import { hourMs, limits, minuteMs } from './limits.ts';
import { modelIdForm } from './model-id.ts';
import { referenceVersions, type ReferenceTaskKey } from './reference-data/preparation.ts';

const kinds = {
  staged: 'staged/',
  batches: 'features/',
  fits: 'fits/',
  models: 'models/',
  answers: 'answers/',
  reference: 'reference/',
} as const;

/** The UTC hour of an instant: `2026-11-23T08`. */
const hourOf = (at: Date): string => at.toISOString().slice(0, 13);

/** How far the clocks of processes may differ. */
const clockMs = 5 * minuteMs;

/** The hours in which what is staged at an instant may have been staged. */
const recentHours = (at: Date): string[] => [
  ...new Set([-limits.stagedMinutes * minuteMs - clockMs, 0, clockMs].map((ms) => hourOf(new Date(at.getTime() + ms)))),
];

/**
 * Names of everything in the object store. Every name is `<kind>/<modelId>/…`, so that a model's objects are found by
 * prefix; but that of a staged signal begins with its hour, so that old ones are found without reading the young, and
 * those of reference data belong to no model. Who needs a staged signal has its name (`FitRequest.source`).
 */
export const objectNames = {
  /** Signal of an immediate create (`StagedTrials`), until its features are stored or the fit has ended. */
  staged: ({ modelId, jobId }: FitTarget, at: Date): string => `${kinds.staged}${hourOf(at)}/${modelId}/${jobId}`,
  /** What a process writes to see that it can; one that it leaves behind is removed as a staged signal is. */
  probe: (id: string, at: Date): string => `${kinds.staged}${hourOf(at)}/probe/${id}`,
  /** Features of one batch of a collecting model (`StoredBatch`), until the model is fitted. */
  batch: (modelId: string, batchId: string): string => `${kinds.batches}${modelId}/${batchId}`,
  /** Features of some trials of a batch (`StoredPart`), which go with the batch: its name is their prefix. */
  batchPart: (batch: string, part: number): string => `${batch}.${part}`,
  /** Features of a fit job. */
  features: (job: FitTarget): string => `${objectPrefixes.job(job)}features`,
  /** What one method scored in a fit job. */
  score: (job: FitTarget, method: string): string =>
    `${objectPrefixes.job(job)}score-${method.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`,
  /** Fitted model. The job is in the name, so that a job that fails can remove its own whatever became of the model. */
  model: ({ modelId, jobId }: FitTarget): string => `${kinds.models}${modelId}/${jobId}`,
  /** A large answer of a prediction, kept for its Idempotency-Key until that expires or the model ends. */
  answer: (modelId: string, answerId: string): string => `${kinds.answers}${modelId}/${answerId}`,
  /** Features of one person of a reference task (`PersonFeatures`); `made`: fingerprint of the recordings. */
  referencePerson: (task: ReferenceTaskKey, person: string, made: string): string =>
    `${objectPrefixes.referencePeople(task)}${person}-${made}`,
  /** A model, its evidence and its prior for one shape of trials (`ReferenceFit`). */
  referenceFit: (task: ReferenceTaskKey, key: string): string => `${objectPrefixes.referenceTask(task)}fits/${key}`,
} as const;

/** Prefixes under which objects are listed or deleted together. */
export const objectPrefixes = {
  staged: kinds.staged,
  /** Staged in the hour of an instant; names of earlier hours come before it, in order of names. */
  stagedIn: (at: Date): string => `${kinds.staged}${hourOf(at)}/`,
  /** What follows the names staged in the hour of an instant and before. */
  stagedAfter: (at: Date): string => objectPrefixes.stagedIn(new Date(at.getTime() + hourMs)),
  /** Kinds whose objects must have a row that speaks for them. */
  owned: [kinds.batches, kinds.fits, kinds.models, kinds.answers],
  /** Everything of a reference task. What a preparation replaces, it removes by itself; unused fits go daily. */
  referenceTask: ({ set, version, task }: ReferenceTaskKey): string =>
    `${kinds.reference}${set}-${version}/${task}-${referenceVersions.features}/`,
  /** Features of its people. */
  referencePeople: (task: ReferenceTaskKey): string => `${objectPrefixes.referenceTask(task)}people/`,
  /** Everything of one fit job but the model it fitted. */
  job: ({ modelId, jobId }: FitTarget): string => `${kinds.fits}${modelId}/${jobId}/`,
  /** What a model needs no more once it is fitted. */
  features: (modelId: string, at: Date): string[] => [
    ...recentHours(at).map((hour) => `${kinds.staged}${hour}/${modelId}/`),
    `${kinds.batches}${modelId}/`,
    `${kinds.fits}${modelId}/`,
  ],
  /** Everything a model ever stored and a sweep has not removed by the instant. */
  all: (modelId: string, at: Date): string[] => [
    ...objectPrefixes.features(modelId, at),
    `${kinds.models}${modelId}/`,
    `${kinds.answers}${modelId}/`,
  ],
} as const;

type Kind = keyof typeof kinds;

const hour = String.raw`\d{4}-\d{2}-\d{2}T\d{2}`;
const ofModel = `(?<modelId>${modelIdForm})`;

/** What follows the kind in its names. */
const forms: Readonly<Record<Kind, string>> = {
  staged: `${hour}/(?:${ofModel}|probe)/[^/]+`,
  batches: `${ofModel}/[^/]+`,
  fits: `${ofModel}/.+`,
  models: `${ofModel}/[^/]+`,
  answers: `${ofModel}/[^/]+`,
  reference: '[^/]+/[^/]+/(?:people|fits)/[^/]+',
};
const patterns = (Object.keys(kinds) as Kind[]).map(
  (kind) => [kind, new RegExp(`^${kinds[kind]}${forms[kind]}$`)] as const,
);

/**
 * Kind and model of an object name, the model null for what belongs to none. null where the name is none of
 * `objectNames`: a bucket may be shared, and what others keep there is never touched.
 */
export function ownerOf(name: string): { readonly kind: Kind; readonly modelId: string | null } | null {
  for (const [kind, pattern] of patterns) {
    const found = pattern.exec(name);
    if (found) return { kind, modelId: found.groups?.['modelId'] ?? null };
  }
  return null;
}
