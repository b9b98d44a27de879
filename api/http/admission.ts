import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  createLeaseKeeper,
  finishRequest,
  recordUsage,
  releaseLease,
  type Admitted,
  type AdmissionRequest,
  type RateState,
  type Refused,
} from '../../infra/records/admission/index.ts';
import type { ApiDeps } from '../deps.ts';
import { clientAddress } from './client-address.ts';
import { refusals } from './refusals.ts';
import { AccountTurns } from './turns.ts';

/** Requests of an account that ask for admission at once: each takes a connection, and they wait for one another. */
const asking = 4;
export const admissionTurns = (): AccountTurns => new AccountTurns(asking);

function rateHeaders(reply: FastifyReply, rate: RateState | null): void {
  if (!rate) return;
  reply.header('x-ratelimit-limit-requests', String(rate.limit));
  reply.header('x-ratelimit-remaining-requests', String(rate.remaining));
  reply.header('x-ratelimit-reset-requests', `${Math.max(0, Math.ceil(rate.resetSeconds))}s`);
}

/** What is asked of whoever admits requests, of each. */
export type Wanted = Pick<
  AdmissionRequest,
  'endpoint' | 'requestId' | 'leaseId' | 'leaseSeconds' | 'whileSuspended' | 'scopes' | 'ip'
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
 * read. Whoever asks for one account shares `turns`, with a key or signed in.
 */
export function admitRequests(
  scope: FastifyInstance,
  deps: ApiDeps,
  doorkeeper: Doorkeeper,
  turns: AccountTurns,
): void {
  const keeper = createLeaseKeeper({
    sql: deps.pool,
    seconds: deps.leaseSeconds ?? 60,
    onError: (error) => deps.log.error('Leases were not renewed.', { error }),
  });
  scope.addHook('onClose', async () => keeper.close());
  scope.decorateRequest('caller', null);

  scope.addHook('onRequest', async (request, reply) => {
    const { endpoint, scopes = [], whileSuspended = false } = request.routeOptions.config;
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
    };
    const admission = await turns.run(asker.secret, () => asker.admit(wanted));
    rateHeaders(reply, admission.rate);
    if (admission.outcome !== 'admitted') throw refusals[admission.outcome](admission, scopes, ip);
    keeper.hold(leaseId);
    request.caller = {
      accountId: admission.accountId,
      keyId: asker.keyId,
      mode: admission.mode,
      at: admission.at,
      dailyEstimates: admission.dailyEstimates,
      leaseId,
    };
  });

  /** Counts the request and ends its lease, at once or when the stream of its answer is gone. */
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
    stream?.once('close', () => void release().catch(logged));
    try {
      if (stream) {
        if (!usage.recorded) await recordUsage(deps.pool, event);
      } else if (usage.recorded) {
        await release();
      } else {
        keeper.drop(caller.leaseId);
        await finishRequest(deps.pool, event, caller.leaseId);
      }
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
