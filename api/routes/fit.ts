import { createHash } from 'node:crypto';
import { limits } from '../../infra/contract/limits.ts';
import { job } from '../contract/job.ts';
import { codes, modelPath, permissions, smallBody } from '../contract/operation.ts';
import { fitRequest } from '../contract/requests.ts';
import { taskModel } from '../../infra/contract/task-model-resource.ts';
import { parseSmallBody, readFields } from '../http/body.ts';
import { contextOf, pathId } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { fit } from '../use-cases/fit.ts';
import type { Route } from './route.ts';

const hashOf = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('hex');

/** Hash of a fit request without a body: it is the same request as one with `{}`. */
const emptyHash = hashOf('{}');

/** Reads the optional body. Its exact bytes identify the request, unless it asks for nothing. */
function readFit(body: unknown): { readonly ignored: readonly string[]; readonly hash: string } {
  const { ignore_classes: classes } = readFields(fitRequest, parseSmallBody(body, {}));
  const ignored = [...new Set(classes ?? [])];
  return { ignored, hash: ignored.length > 0 ? hashOf(body as Uint8Array) : emptyHash };
}

export const fitTaskModel: Route = {
  operation: {
    id: 'fitTaskModel',
    method: 'post',
    path: `${modelPath}/fit`,
    tag: 'Task models',
    summary: 'Fit a collecting model',
    scopes: permissions.use,
    endpoint: 'task_models.fit',
    bodyBytes: smallBody,
    idempotent: true,
    description:
      `Fits on all batches, within ${limits.collectingDays} days of the creation. ` +
      'The body may be missing. `ignore_classes` leaves out classes, such as a mistyped label. The create fee and the ' +
      'first month of hosting are charged here.',
    requests: [fitRequest],
    bodyOptional: true,
    examples: ['fit_without'],
    respondsAsync: true,
    answers: {
      200: { schema: taskModel, words: 'The active task model with its training report.' },
      202: { schema: job, words: 'With `Prefer: respond-async`: the job of the fit; Location says where it is.' },
    },
    errors: ['CLASSIFIER_NOT_FOUND', ...codes.body, ...codes.funds, ...codes.fit, ...codes.once],
  },
  handle: (deps) => (request, reply) => {
    const { ignored, hash } = readFit(request.body);
    return runOnce(deps, request, reply, hash, (ticket) =>
      fit(deps, contextOf(request), pathId(request), { ignored, ticket }),
    );
  },
};
