import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createLeaseKeeper, releaseLease } from '../../infra/records/admission/leases.ts';
import { finishRequest } from '../../infra/records/admission/usage.ts';
import type { AdmissionQueue } from '../../infra/records/admission/admission-queue.ts';
import type { AdmissionRequest, Credential, RateState } from '../../infra/records/admission/admit.ts';
import { modelIdPattern } from '../../infra/contract/model-id.ts';
import type { ApiDeps } from '../deps.ts';
import type { Authentication } from './authenticate.ts';
import { clientAddress } from './client-address.ts';
import { keyToBegin } from './idempotency.ts';
import { refusals } from './refusals.ts';
import { createSpeculation } from './speculate.ts';
import { createStormGuard } from '../../infra/observe/storm.ts';

function rateHeaders(reply: FastifyReply, rate: RateState | null): void {
  if (!rate) return;
  reply.header('x-ratelimit-limit-requests', String(rate.limit));
  reply.header('x-ratelimit-remaining-requests', String(rate.remaining));
  reply.header('x-ratelimit-reset-requests', `${Math.max(0, Math.ceil(rate.resetSeconds))}s`);
}

/** The model named in the path; null if the path names none. */
function modelOf({ params, routeOptions }: FastifyRequest): AdmissionRequest['model'] {
  const { model_id: id } = (params ?? {}) as { model_id?: string };
  const report = routeOptions.config.readsReport ?? false;
  return id !== undefined && modelIdPattern.test(id) ? { id, report } : null;
}

/** Usage of a caller's requests is counted under this name. */
const usageKeyOf = (credential: Credential): string => (credential.kind === 'key' ? credential.keyId : 'dashboard');

/**
 * Authenticates and admits every request of a route with an `endpoint`, in one round trip, before its body is read. The
 * body of a prediction may be read at the same time (`speculate.ts`).
 */
export function admitRequests(
  scope: FastifyInstance,
  deps: ApiDeps,
  admissions: AdmissionQueue,
  { credentialOf, unknown }: Authentication,
): void {
  const keeper = createLeaseKeeper({
    sql: deps.pool,
    seconds: deps.leaseSeconds ?? 60,
    onError: (error) => deps.log.error('Leases were not renewed.', { error }),
  });
  scope.addHook('onClose', async () => keeper.close());
  const speculate = createSpeculation(deps);
  scope.decorateRequest('caller', null);
  scope.decorateRequest('speculation', null);

  scope.addHook('onRequest', async (request, reply) => {
    const { endpoint, scopes = [], whileSuspended = false, beginsKey } = request.routeOptions.config;
    if (!endpoint) return;
    const credential = credentialOf(request);
    const wanted: AdmissionRequest = {
      endpoint,
      scopes,
      whileSuspended,
      ip: clientAddress(request),
      leaseId: randomUUID(),
      leaseSeconds: keeper.seconds,
      requestId: request.id,
      model: modelOf(request),
      key: beginsKey ? keyToBegin(request) : null,
    };
    const admitting = admissions.admit(credential, wanted);
    request.speculation = speculate(request, credential);
    try {
      const admission = await admitting;
      rateHeaders(reply, admission.rate);
      if (admission.outcome === 'UNAUTHENTICATED') throw unknown();
      if (admission.outcome !== 'admitted') throw refusals[admission.outcome](admission, scopes, wanted.ip);
      keeper.hold(wanted.leaseId);
      const { keyBegun, outcome: _, rate: __, ...found } = admission;
      // From here on, the end of the request returns what its admission took.
      request.caller = {
        ...found,
        keyId: usageKeyOf(credential),
        leaseId: wanted.leaseId,
        begunKey: keyBegun ? wanted.key : null,
      };
    } catch (error) {
      request.speculation.cancel();
      throw error;
    }
  });

  const storm = createStormGuard();
  /**
   * Counts the request, releases a key that its admission started, and ends its lease: at once, or when the stream of
   * its answer has closed. Skips the steps that the use case did with the charge.
   */
  const finish = async (request: FastifyRequest, status: number, stream: Readable | null = null): Promise<void> => {
    const { caller, usage } = request;
    if (!caller) return;
    request.caller = null;
    const logged = (error: unknown): void => {
      if (!storm.admits('UNRECORDED_END', deps.log)) return;
      deps.log.error('The end of a request was not recorded; its lease expires by itself.', {
        request: request.id,
        account: caller.accountId,
        error,
      });
    };
    const release = (): Promise<void> => {
      keeper.drop(caller.leaseId);
      return releaseLease(deps.pool, caller.leaseId);
    };
    const event = {
      ...caller,
      endpoint: usage.endpoint,
      status,
      code: usage.code ?? 'ok',
      windows: usage.windows,
      microUsd: usage.microUsd,
      requestId: request.id,
    };
    const owned = { leaseId: stream ? null : caller.leaseId, key: caller.begunKey, lockId: caller.leaseId };
    if (usage.leaseEnded) keeper.drop(caller.leaseId);
    else stream?.once('close', () => void release().catch(logged));
    try {
      if (!usage.recorded) {
        if (!stream) keeper.drop(caller.leaseId);
        await finishRequest(deps.pool, event, owned);
      } else if (!stream && !usage.leaseEnded) await release();
    } catch (error) {
      logged(error);
    }
  };
  scope.addHook('onSend', async (request, reply, payload) => {
    await finish(request, reply.statusCode, payload instanceof Readable ? payload : null);
    return payload;
  });
  scope.addHook('onResponse', (request, reply) => finish(request, reply.statusCode));
}
