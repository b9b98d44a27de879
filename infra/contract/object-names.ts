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

/** Largest difference between the clocks of processes. */
const clockMs = 5 * minuteMs;

/** The hours that may be in the name of an object staged at an instant. */
const recentHours = (at: Date): string[] => [
  ...new Set([-limits.stagedMinutes * minuteMs - clockMs, 0, clockMs].map((ms) => hourOf(new Date(at.getTime() + ms)))),
];

/**
 * Names of all objects in the store. A name is `<kind>/<modelId>/…`, so that a model's objects can be listed by prefix.
 * Exceptions: a staged signal begins with its hour, so that old ones are found without listing new ones; reference data
 * belong to no model. A job knows the name of its staged signal (`FitRequest.source`).
 */
export const objectNames = {
  /** Signal of an immediate create (`StagedTrials`), until its features are stored or the fit has ended. */
  staged: ({ modelId, jobId }: FitTarget, at: Date): string => `${kinds.staged}${hourOf(at)}/${modelId}/${jobId}`,
  /** Object that a process writes to test the store; a leftover one is removed like a staged signal. */
  probe: (id: string, at: Date): string => `${kinds.staged}${hourOf(at)}/probe/${id}`,
  /** Features of one batch of a collecting model (`StoredBatch`), until the model is fitted. */
  batch: (modelId: string, batchId: string): string => `${kinds.batches}${modelId}/${batchId}`,
  /** Features of some trials of a batch (`StoredPart`), removed with the batch: its name is their prefix. */
  batchPart: (batch: string, part: number): string => `${batch}.${part}`,
  /** Features of a fit job. */
  features: (job: FitTarget): string => `${objectPrefixes.job(job)}features`,
  /** Scores of one method in a fit job. */
  score: (job: FitTarget, method: string): string =>
    `${objectPrefixes.job(job)}score-${method.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`,
  /** Fitted model. The name contains the job, so that a failing job can remove its own object in any case. */
  model: ({ modelId, jobId }: FitTarget): string => `${kinds.models}${modelId}/${jobId}`,
  /** A large response of a prediction, stored for its Idempotency-Key until the key expires or the model ends. */
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
  /** Objects staged in the hour of an instant. Names of earlier hours sort before it. */
  stagedIn: (at: Date): string => `${kinds.staged}${hourOf(at)}/`,
  /** Prefix that sorts after all objects staged up to the hour of an instant. */
  stagedAfter: (at: Date): string => objectPrefixes.stagedIn(new Date(at.getTime() + hourMs)),
  /** Kinds whose objects must have a row in the database. */
  owned: [kinds.batches, kinds.fits, kinds.models, kinds.answers],
  /**
   * Everything of a reference task. A preparation removes the objects that it replaces; unused fits are removed daily.
   */
  referenceTask: ({ set, version, task }: ReferenceTaskKey): string =>
    `${kinds.reference}${set}-${version}/${task}-${referenceVersions.features}/`,
  /** Features of its people. */
  referencePeople: (task: ReferenceTaskKey): string => `${objectPrefixes.referenceTask(task)}people/`,
  /** Everything of one fit job except its fitted model. */
  job: ({ modelId, jobId }: FitTarget): string => `${kinds.fits}${modelId}/${jobId}/`,
  /** Objects that a model no longer needs after its fit. */
  features: (modelId: string, at: Date): string[] => [
    ...recentHours(at).map((hour) => `${kinds.staged}${hour}/${modelId}/`),
    `${kinds.batches}${modelId}/`,
    `${kinds.fits}${modelId}/`,
  ],
  /** Everything that a model stored and no sweep has removed by the instant. */
  all: (modelId: string, at: Date): string[] => [
    ...objectPrefixes.features(modelId, at),
    `${kinds.models}${modelId}/`,
    `${kinds.answers}${modelId}/`,
  ],
} as const;

type Kind = keyof typeof kinds;

const hour = String.raw`\d{4}-\d{2}-\d{2}T\d{2}`;
const ofModel = `(?<modelId>${modelIdForm})`;

/** The part of the name after the kind. */
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
 * Kind and model of an object name; the model is null if the object belongs to none. Returns null for a name that is
 * not from `objectNames`: a bucket may be shared, and objects of others are never touched.
 */
export function ownerOf(name: string): { readonly kind: Kind; readonly modelId: string | null } | null {
  for (const [kind, pattern] of patterns) {
    const found = pattern.exec(name);
    if (found) return { kind, modelId: found.groups?.['modelId'] ?? null };
  }
  return null;
}
