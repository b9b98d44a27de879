import { createHash } from 'node:crypto';
import { invalidRequest } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import { brief } from '../../infra/contract/quote.ts';
import { codes, modelPath, permissions, smallBody } from '../contract/operation.ts';
import { taskModel } from '../../infra/contract/task-model-resource.ts';
import { parseSmallBody } from '../http/body.ts';
import { contextOf, pathId } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { fit } from '../use-cases/fit.ts';
import type { Route } from './route.ts';

/** Body hash of every fit request: any body counts as `{}`. */
const bodyHash = createHash('sha256').update('{}').digest('hex');

function requireEmpty(body: unknown): void {
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : ['body'];
  if (fields.length === 0) return;
  throw invalidRequest(
    fields.map((field) => ({
      field: brief(field),
      message: `${brief(field)}: a fit takes no fields; send no body, or {}.`,
    })),
    fields.includes('dry_run') || fields.includes('body') || fields.length > 100
      ? []
      : [Object.fromEntries(fields.map((field) => [field, null]))],
  );
}

export const fitTaskModel: Route = {
  operation: {
    id: 'fitTaskModel',
    method: 'post',
    path: `${modelPath}/fit`,
    summary: 'Fit a collecting model',
    scopes: permissions.use,
    endpoint: 'task_models.fit',
    bodyBytes: smallBody,
    idempotent: true,
    description:
      `Fits on all batches, within ${limits.collectingDays} days of the creation. ` +
      'Takes no body. The create fee and the first month ' +
      'of hosting are charged here.',
    answers: { 200: { schema: taskModel, words: 'The active task model with its training report.' } },
    errors: ['CLASSIFIER_NOT_FOUND', ...codes.body, ...codes.funds, ...codes.fit, ...codes.once],
  },
  handle: (deps) => (request, reply) => {
    requireEmpty(parseSmallBody(request.body, {}));
    return runOnce(deps, request, reply, bodyHash, (ticket) => fit(deps, contextOf(request), pathId(request), ticket));
  },
};
