import type { FastifyInstance, FastifyRequest } from 'fastify';
import { listModels, markDeleted, patchModel } from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { invalidField, invalidRequest } from '../../infra/contract/invalid-request.ts';
import { listQuery, patchRequest } from '../contract/requests.ts';
import { readEnvelope } from '../contract/read-envelope.ts';
import { taskModelResource } from '../contract/task-model-resource.ts';
import type { ApiDeps } from '../deps.ts';
import { lookUp, notFound, pathId, requireLiving } from '../use-cases/find-model.ts';
import { parseSmallBody } from '../http/body.ts';
import { callerOf } from '../http/request.ts';

const read = { scopes: ['models:read', 'predictions'] };
const write = { scopes: ['predictions'] };

function parse<T>(result: { ok: true; value: T } | { ok: false; errors: Parameters<typeof invalidRequest>[0] }): T {
  if (!result.ok) throw invalidRequest(result.errors);
  return result.value;
}

/** `expires_at` of a PATCH: undefined leaves it, null clears it. */
function readExpiry(text: string | null | undefined, at: Date): Date | null | undefined {
  if (text === undefined || text === null) return text;
  const instant = new Date(text);
  if (instant.getTime() > at.getTime()) return instant;
  throw invalidField('expires_at', `expires_at is ${text}, which is not in the future (now: ${at.toISOString()}).`, [
    null,
  ]);
}

export function taskModelRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.get('/v1/task-models', { config: { endpoint: 'task_models.list', ...read } }, async (request) => {
    const { limit, before } = parse(readEnvelope(listQuery, request.query));
    const { accountId, mode, at } = callerOf(request);
    const page = await listModels(deps.pool, accountId, { limit, before, at, mode });
    return {
      object: 'list',
      data: page.models.map((record) => taskModelResource(record, at)),
      next_before: page.nextBefore,
    };
  });

  app.get('/v1/task-models/:model_id', { config: { endpoint: 'task_models.read', ...read } }, async (request) => {
    const caller = callerOf(request);
    const id = pathId(request);
    return taskModelResource(requireLiving(await lookUp(deps.pool, caller, id), id, caller.at), caller.at);
  });

  app.patch(
    '/v1/task-models/:model_id',
    { config: { endpoint: 'task_models.update', ...write, bodyBytes: 65_536 } },
    async (request: FastifyRequest) => {
      const caller = callerOf(request);
      const id = pathId(request);
      const body = parseSmallBody(request.body, undefined);
      const record = await transaction(deps.pool, async (sql) => {
        requireLiving(await lookUp(sql, caller, id), id, caller.at);
        const { name, expires_at } = parse(readEnvelope(patchRequest, body));
        return patchModel(sql, caller.accountId, id, { name, expiresAt: readExpiry(expires_at, caller.at) });
      });
      await deps.jobs.refresh(id);
      return taskModelResource(requireLiving(record, id, caller.at), caller.at);
    },
  );

  app.delete(
    '/v1/task-models/:model_id',
    { config: { endpoint: 'task_models.delete', ...write, bodyBytes: 65_536 } },
    async (request) => {
      const caller = callerOf(request);
      const id = pathId(request);
      if (!(await lookUp(deps.pool, caller, id))) throw notFound(id);
      const record = await transaction(deps.pool, (sql) => markDeleted(sql, caller.accountId, id, caller.at));
      await deps.jobs.refresh(id);
      return taskModelResource(record!, caller.at);
    },
  );
}
