import type { z } from 'zod';
import type { ErrorCode } from '../../infra/contract/errors.ts';
import type { ExampleName } from './examples.ts';

type Answers = Readonly<Record<number, { readonly schema: z.ZodType | readonly z.ZodType[]; readonly words: string }>>;

/** Groups of endpoints in the interface description, in the order of reading. */
export const tags = {
  'Task models': 'Create classifiers from labelled trials, or without trials; read, rename and delete them.',
  Predictions: 'Label new trials with a task model.',
  Jobs: 'Creates and fits that were answered 202, because the caller did not want to wait.',
  Account: 'Usage and limits.',
  Service: 'Whether the service takes requests.',
} as const;
export type Tag = keyof typeof tags;

/** Description of an endpoint. Its route, its admission and its part of the interface description are made from it. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Permissions, of which one is sufficient; null: no key needed. */
  readonly scopes: readonly string[] | null;
  /** Usage is counted under this name. Only for endpoints that need a key. */
  readonly endpoint?: string;
  /** Also allowed for suspended accounts. */
  readonly whileSuspended?: boolean;
  /** Largest body in bytes. */
  readonly bodyBytes?: number;
  readonly requests?: readonly z.ZodType[];
  /** The body may be missing. */
  readonly bodyOptional?: boolean;
  readonly examples?: readonly ExampleName[];
  readonly answers: Answers;
  /** Error codes beyond those of every authenticated request. */
  readonly errors: readonly ErrorCode[];
  /** Accepts an Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Follows `Prefer: respond-async`. */
  readonly respondsAsync?: boolean;
  /**
   * The admission starts the Idempotency-Key, before the body is known. Allowed only if just the answer is stored under
   * the key, so that a request with a different body may take over a key whose process died.
   */
  readonly beginsKey?: boolean;
  /** The admission also reads the model's training report. */
  readonly readsReport?: boolean;
  readonly query?: readonly { readonly name: string; readonly schema: object; readonly words: string }[];
}

/** Path of one task model. */
export const modelPath = '/v1/task-models/{model_id}';

/** Path of one job. */
export const jobPath = '/v1/jobs/{job_id}';

/** The permissions to use models, and those to read them. */
export const permissions = {
  use: ['predictions'],
  read: ['models:read', 'predictions'],
  usage: ['usage:read'],
} as const;

/** Largest body of a request without trials, in bytes. */
export const smallBody = 65_536;

const body = ['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'] as const;
const funds = ['INSUFFICIENT_CREDIT', 'BUDGET_EXCEEDED'] as const;

/** Error codes that several endpoints share. */
export const codes = {
  body,
  funds,
  trials: [...body, 'UNITS_REQUIRED', ...funds, 'USAGE_CAP_EXCEEDED', 'POOL_SATURATED', 'POOL_UNAVAILABLE'],
  once: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  fit: ['TOO_FEW_TRIALS', 'CLASSIFIER_FIT_FAILED', 'BACKEND_FAILURE', 'POOL_UNAVAILABLE'],
  authenticated: [
    'UNAUTHENTICATED',
    'KEY_REVOKED',
    'KEY_EXPIRED',
    'SCOPE_MISSING',
    'TENANT_SUSPENDED',
    'IP_NOT_ALLOWED',
    'RATE_LIMITED',
    'CONCURRENCY_LIMITED',
    'INTERNAL',
    'SERVING_DISABLED',
    'BILLING_UNAVAILABLE',
  ],
} as const satisfies Record<string, readonly ErrorCode[]>;

/** All error codes of an operation. */
export const errorsOf = ({ scopes, errors, whileSuspended }: Operation): readonly ErrorCode[] => {
  const all = new Set<ErrorCode>([...(scopes ? codes.authenticated : []), ...errors]);
  if (whileSuspended) all.delete('TENANT_SUSPENDED');
  return [...all];
};
