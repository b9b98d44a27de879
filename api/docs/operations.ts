import type { z } from 'zod';
import type { ErrorCode } from '../../infra/contract/errors.ts';
import * as requests from '../contract/requests.ts';
import * as responses from '../contract/responses.ts';
import type { ExampleName } from './examples.ts';

/** One row per endpoint: what the interface description, the reference page and their tests are made from. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Permissions, one of which is enough; null: no key needed. */
  readonly scopes: readonly string[] | null;
  readonly requests?: readonly z.ZodType[];
  readonly examples?: readonly ExampleName[];
  readonly answers: Readonly<
    Record<number, { readonly schema: z.ZodType | readonly z.ZodType[]; readonly words: string }>
  >;
  /** Error codes beyond those of every authenticated request. */
  readonly errors: readonly ErrorCode[];
  readonly idempotent?: boolean;
  readonly query?: readonly { readonly name: string; readonly schema: object; readonly words: string }[];
}

/** What every request with a key can be answered with. */
export const authenticatedErrors: readonly ErrorCode[] = [
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
];

const body: readonly ErrorCode[] = ['INVALID_REQUEST', 'PAYLOAD_TOO_LARGE'];
const signal: readonly ErrorCode[] = [
  ...body,
  'UNITS_REQUIRED',
  'INSUFFICIENT_CREDIT',
  'BUDGET_EXCEEDED',
  'USAGE_CAP_EXCEEDED',
  'POOL_SATURATED',
];
const once: readonly ErrorCode[] = ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'];
const fit: readonly ErrorCode[] = ['TOO_FEW_TRIALS', 'CLASSIFIER_FIT_FAILED', 'BACKEND_FAILURE', 'POOL_UNAVAILABLE'];
const model = '/v1/task-models/{model_id}';
const use = ['predictions'];
const read = ['models:read', 'predictions'];
const answer = (schema: z.ZodType | readonly z.ZodType[], words: string) => ({ schema, words });

export const operations: readonly Operation[] = [
  {
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    summary: 'Liveness',
    description: 'Answers while the process serves.',
    scopes: null,
    answers: { 200: answer(responses.health, 'The process serves.') },
    errors: [],
  },
  {
    id: 'getStatus',
    method: 'get',
    path: '/v1/status',
    summary: 'Service status',
    description: 'Whether the service takes requests, or is paused for maintenance.',
    scopes: null,
    answers: { 200: answer(responses.serviceStatus, 'The status.') },
    errors: ['INTERNAL', 'BILLING_UNAVAILABLE'],
  },
  {
    id: 'getUsage',
    method: 'get',
    path: '/v1/usage',
    summary: 'Usage and limits',
    scopes: ['usage:read'],
    description:
      'What the account used today and this month (UTC), and its limits. Money and counters are decimal strings; null means nothing recorded. Test keys record no money.',
    answers: { 200: answer(responses.usage, 'The usage.') },
    errors: [],
  },
  {
    id: 'listTaskModels',
    method: 'get',
    path: '/v1/task-models',
    summary: 'List task models',
    scopes: read,
    description: 'Collecting and active models, newest first.',
    query: [
      { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, words: 'Models per page.' },
      {
        name: 'before',
        schema: { type: 'string', pattern: requests.modelIdPattern.source },
        words: 'The `next_before` of the page before.',
      },
    ],
    answers: { 200: answer(responses.listPage, 'A page.') },
    errors: ['INVALID_REQUEST'],
  },
  {
    id: 'createTaskModel',
    method: 'post',
    path: '/v1/task-models',
    summary: 'Create a task model',
    scopes: use,
    idempotent: true,
    description:
      'Fits every compatible method on the trials, keeps the best and hosts it: 1.00 USD once and 1.00 USD for each 30 days of hosting. With `dry_run` an estimate; with `defer_fit` the trials are collected over several requests; with `mode: "zero_shot"` no trials are sent.',
    requests: [requests.createRequest, requests.zeroShotRequest],
    examples: ['create', 'create_nested', 'estimate', 'defer_fit', 'zero_shot'],
    answers: {
      200: answer(responses.estimate, 'The estimate (`dry_run`).'),
      201: answer(responses.taskModel, 'The task model; Location says where it is.'),
      202: answer(
        responses.preparing,
        'Reference data is being prepared; send the same request again with the same Idempotency-Key.',
      ),
    },
    errors: [...signal, ...fit, ...once, 'TASK_UNSUPPORTED', 'NO_REFERENCE_DATA'],
  },
  {
    id: 'getTaskModel',
    method: 'get',
    path: model,
    summary: 'Read a task model',
    description: 'A collecting or active model with its training report.',
    scopes: read,
    answers: { 200: answer(responses.taskModel, 'The task model.') },
    errors: ['CLASSIFIER_NOT_FOUND'],
  },
  {
    id: 'updateTaskModel',
    method: 'patch',
    path: model,
    summary: 'Rename, or change the expiry',
    description: 'Fields that are left out stay as they are; null clears.',
    scopes: use,
    requests: [requests.patchRequest],
    examples: ['rename', 'keep'],
    answers: { 200: answer(responses.taskModel, 'The task model.') },
    errors: ['CLASSIFIER_NOT_FOUND', ...body],
  },
  {
    id: 'addTrials',
    method: 'post',
    path: `${model}/trials`,
    summary: 'Add a batch of trials',
    scopes: use,
    idempotent: true,
    description:
      'Adds a batch to a collecting model, 0.003 USD per four-second window. Only features are kept, never the signal. Shuffle trials beforehand so that each batch contains every class.',
    requests: [requests.batchRequest],
    examples: ['batch'],
    answers: { 200: answer(responses.batchAnswer, 'The task model, with counts per class.') },
    errors: ['CLASSIFIER_NOT_FOUND', 'TASK_UNSUPPORTED', ...signal, ...once],
  },
  {
    id: 'fitTaskModel',
    method: 'post',
    path: `${model}/fit`,
    summary: 'Fit a collecting model',
    scopes: use,
    idempotent: true,
    description:
      'Fits on all batches, within 7 days of the creation. Takes no body. The create fee and the first month of hosting are charged here.',
    answers: { 200: answer(responses.taskModel, 'The active task model with its training report.') },
    errors: [
      'CLASSIFIER_NOT_FOUND',
      'INVALID_REQUEST',
      'PAYLOAD_TOO_LARGE',
      'INSUFFICIENT_CREDIT',
      'BUDGET_EXCEEDED',
      ...fit,
      ...once,
    ],
  },
  {
    id: 'predict',
    method: 'post',
    path: `${model}/predictions`,
    summary: 'Label new trials',
    scopes: use,
    idempotent: true,
    description:
      'One label and one probability per class for every trial, in the order sent; 0.003 USD per four-second window. The channel names are those of the model, in any order.',
    requests: [requests.predictRequest],
    examples: ['predict', 'predict_batch'],
    answers: { 200: answer(responses.predictionList, 'The predictions.') },
    errors: ['CLASSIFIER_NOT_FOUND', 'BACKEND_FAILURE', ...signal, ...once],
  },
  {
    id: 'deleteTaskModel',
    method: 'delete',
    path: model,
    summary: 'Delete a task model',
    description: 'Ends hosting. Deleting again answers 200 again.',
    scopes: use,
    answers: { 200: answer(responses.taskModel, 'The deleted task model.') },
    errors: ['CLASSIFIER_NOT_FOUND', ...body],
  },
];

/** All codes an operation can be answered with, in the order of the table. */
export const errorsOf = (operation: Operation): readonly ErrorCode[] => [
  ...new Set([...(operation.scopes ? authenticatedErrors : []), ...operation.errors]),
];
