import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  createLeaseKeeper,
  finishRequest,
  releaseLease,
  type Admitted,
  type AdmissionRequest,
  type NamedModel,
  type RateState,
  type Refused,
} from '../../infra/records/admission/index.ts';
import { modelIdPattern } from '../../infra/contract/model-id.ts';
import type { ApiDeps } from '../deps.ts';
import { createForesight } from './ahead.ts';
import { clientAddress } from './client-address.ts';
import { keyToBegin } from './idempotency.ts';
import { refusals } from './refusals.ts';
import { AccountTurns } from './turns.ts';

/**
 * Requests of an account that ask for admission by themselves at once: each takes a connection, and they wait for one
 * another. Whoever asks for one account shares these turns, with a key or signed in.
 */
const asking = 4;
export const admissionTurns = (): AccountTurns => new AccountTurns(asking);

function rateHeaders(reply: FastifyReply, rate: RateState | null): void {
  if (!rate) return;
  reply.header('x-ratelimit-limit-requests', String(rate.limit));
  reply.header('x-ratelimit-remaining-requests', String(rate.remaining));
  reply.header('x-ratelimit-reset-requests', `${Math.max(0, Math.ceil(rate.resetSeconds))}s`);
}

/** The model that the path names, where that may be one. */
function namedModel({ params }: FastifyRequest, report: boolean): NamedModel | null {
  const { model_id: id } = (params ?? {}) as { model_id?: string };
  return id !== undefined && modelIdPattern.test(id) ? { id, report } : null;
}

/** What is asked of whoever admits requests, of each. */
export type Wanted = Pick<
  AdmissionRequest,
  'endpoint' | 'requestId' | 'leaseId' | 'leaseSeconds' | 'whileSuspended' | 'scopes' | 'ip' | 'model' | 'key'
>;

/** Somebody who asks, before it is known who that is. */
export interface Asker {
  /** Tells callers apart. */
  readonly secret: string;
  /** What the request is counted under. */
  readonly keyId: string;
  /** Finds out who it is and admits the request, in one round trip. */
  readonly admit: (wanted: Wanted) => Promise<Admitted | Refused>;
}

/** Reads who asks; throws for a request that says it in no form that could be admitted. */
export type Doorkeeper = (request: FastifyRequest) => Asker;

/**
 * Authenticates and admits every request of a route that names an `endpoint`, in one round trip, before its body is
 * read, but for what is foreseen.
 */
export function admitRequests(scope: FastifyInstance, deps: ApiDeps, doorkeeper: Doorkeeper): void {
  const keeper = createLeaseKeeper({
    sql: deps.pool,
    seconds: deps.leaseSeconds ?? 60,
    onError: (error) => deps.log.error('Leases were not renewed.', { error }),
  });
  scope.addHook('onClose', async () => keeper.close());
  const foresee = createForesight(deps);
  scope.decorateRequest('caller', null);
  scope.decorateRequest('foresight', null);

  scope.addHook('onRequest', async (request, reply) => {
    const { endpoint, scopes = [], whileSuspended = false, beginsKey, readsReport } = request.routeOptions.config;
    if (!endpoint) return;
    const asker = doorkeeper(request);
    const ip = clientAddress(request);
    const leaseId = randomUUID();
    const wanted = {
      endpoint,
      scopes,
      whileSuspended,
      ip,
      leaseId,
      leaseSeconds: keeper.seconds,
      requestId: request.id,
      model: namedModel(request, readsReport ?? false),
      key: beginsKey ? keyToBegin(request) : null,
    };
    const admitting = asker.admit(wanted);
    request.foresight = foresee(request, asker.secret);
    const orForget = <T>(asked: Promise<T>): Promise<T> =>
      asked.catch((error: unknown) => {
        request.foresight?.forget();
        throw error;
      });
    const admission = await orForget(admitting);
    rateHeaders(reply, admission.rate);
    if (admission.outcome !== 'admitted') {
      request.foresight.forget();
      throw refusals[admission.outcome](admission, scopes, ip);
    }
    keeper.hold(leaseId);
    const caller = {
      accountId: admission.accountId,
      keyId: asker.keyId,
      mode: admission.mode,
      at: admission.at,
      dailyEstimates: admission.dailyEstimates,
      leaseId,
      model: admission.model,
      funds: admission.funds,
      begunKey: admission.keyBegun ? wanted.key : null,
    };
    // From here on the end of the request gives back what its admission took.
    request.caller = caller;
    if (admission.readModel) request.caller = { ...caller, model: await orForget(admission.readModel()) };
  });

  /**
   * Counts the request, lets go of a key that its admission began and ends its lease, at once or when the stream of its
   * answer is gone. What the use case did with the charge is not done again.
   */
  const finish = async (request: FastifyRequest, status: number, stream: Readable | null = null): Promise<void> => {
    const { caller, usage } = request;
    if (!caller) return;
    request.caller = null;
    const logged = (error: unknown): void =>
      deps.log.error('The end of a request was not recorded; its lease expires by itself.', {
        request: request.id,
        account: caller.accountId,
        error,
      });
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
    const held = { leaseId: stream ? null : caller.leaseId, key: caller.begunKey, lockId: caller.leaseId };
    if (usage.leaseEnded) keeper.drop(caller.leaseId);
    else stream?.once('close', () => void release().catch(logged));
    try {
      if (!usage.recorded) {
        if (!stream) keeper.drop(caller.leaseId);
        await finishRequest(deps.pool, event, held);
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
