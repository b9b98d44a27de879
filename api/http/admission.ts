import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseKey } from '../../infra/records/accounts/index.ts';
import {
  admit,
  createLeaseKeeper,
  finishRequest,
  recordUsage,
  releaseLease,
  type RateState,
  type Refused,
} from '../../infra/records/admission/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { ApiDeps } from '../deps.ts';
import { clientAddress } from './client-address.ts';
import { AccountTurns } from './turns.ts';

/** Requests of an account that ask for admission at once: each takes a connection, and they wait for one another. */
const asking = 4;

const keyHelp = 'Send `Authorization: Bearer <API_KEY>` with a key from the account dashboard.';

const unauthenticated = (message: string): ApiError =>
  new ApiError('UNAUTHENTICATED', `${message} ${keyHelp}`, {
    field: 'Authorization',
  });

type Explain = (refused: Refused, scopes: readonly string[], ip: string) => ApiError;
const on = (date: Date | null): string => (date ? ` on ${date.toISOString()}` : '');

const refusals: Readonly<Record<Refused['outcome'], Explain>> = {
  UNAUTHENTICATED: () => unauthenticated('The API key is not known.'),
  KEY_REVOKED: ({ since }) =>
    new ApiError('KEY_REVOKED', `The API key was revoked${on(since)}. Use another key of the account.`, {
      field: 'Authorization',
    }),
  KEY_EXPIRED: ({ since }) =>
    new ApiError('KEY_EXPIRED', `The API key expired${on(since)}. Create a new key.`, { field: 'Authorization' }),
  TENANT_SUSPENDED: ({ since }) =>
    new ApiError(
      'TENANT_SUSPENDED',
      `The account is paused${since ? ` since ${since.toISOString()}` : ''}, usually after a failed payment. ` +
        'Write to the operator.',
    ),
  IP_NOT_ALLOWED: (_refused, _scopes, ip) =>
    new ApiError('IP_NOT_ALLOWED', `The API key does not allow requests from ${ip}.`),
  SCOPE_MISSING: ({ keyScopes }, scopes) =>
    new ApiError(
      'SCOPE_MISSING',
      `This endpoint needs the permission ${scopes.join(' or ')}; the key has ${keyScopes.join(', ') || 'none'}.`,
      { alternatives: [`Use a key with the permission ${scopes[0]}.`] },
    ),
  SERVING_DISABLED: ({ message, retryAfterSeconds }) =>
    new ApiError('SERVING_DISABLED', message ?? 'The service is paused for maintenance.', {
      retryAfterSeconds: retryAfterSeconds ?? 60,
    }),
  WINDOW: ({ rate, retryAfterSeconds }) =>
    new ApiError(
      'RATE_LIMITED',
      `The account's ${rate?.limit} requests per ${limits.rateWindowSeconds} s are used; the window ends in ` +
        `${Math.ceil(retryAfterSeconds ?? 1)} s.`,
      { retryAfterSeconds: retryAfterSeconds ?? 1 },
    ),
  BURST: ({ burst, retryAfterSeconds }) =>
    new ApiError('RATE_LIMITED', `The account's burst of ${burst} requests in one second is used.`, {
      retryAfterSeconds: retryAfterSeconds ?? 1,
    }),
  CONCURRENCY_LIMITED: ({ concurrency, retryAfterSeconds }) =>
    new ApiError('CONCURRENCY_LIMITED', `The account has ${concurrency} requests in flight, which is its limit.`, {
      retryAfterSeconds: retryAfterSeconds ?? 1,
    }),
};

function rateHeaders(reply: FastifyReply, rate: RateState | null): void {
  if (!rate) return;
  reply.header('x-ratelimit-limit-requests', String(rate.limit));
  reply.header('x-ratelimit-remaining-requests', String(rate.remaining));
  reply.header('x-ratelimit-reset-requests', `${Math.max(0, Math.ceil(rate.resetSeconds))}s`);
}

function bearerOf(request: FastifyRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) throw unauthenticated('The request has no API key.');
  const match = /^Bearer +(\S+) *$/i.exec(header);
  if (!match) throw unauthenticated('The Authorization header is not of the form "Bearer <API_KEY>".');
  return match[1];
}

/**
 * Authenticates and admits every request of a route that names an `endpoint`, in one round trip, before its body is
 * read.
 */
export function admitRequests(scope: FastifyInstance, deps: ApiDeps): void {
  const keeper = createLeaseKeeper({
    sql: deps.pool,
    seconds: deps.leaseSeconds ?? 60,
    onError: (error) => deps.log('Leases were not renewed.', error),
  });
  const turns = new AccountTurns(asking);
  scope.addHook('onClose', async () => keeper.close());
  scope.decorateRequest('caller', null);

  scope.addHook('onRequest', async (request, reply) => {
    const { endpoint, scopes = [], whileSuspended = false } = request.routeOptions.config;
    if (!endpoint) return;
    const key = parseKey(bearerOf(request));
    if (!key) throw unauthenticated('The API key is malformed: its checksum does not fit.');
    const ip = clientAddress(request);
    const leaseId = randomUUID();
    const admission = await turns.run(Buffer.from(key.hash).toString('base64'), () =>
      admit(deps.pool, {
        keyId: key.keyId,
        secretHash: key.hash,
        ip,
        scopes,
        endpoint,
        requestId: request.id,
        leaseId,
        leaseSeconds: keeper.seconds,
        whileSuspended,
      }),
    );
    rateHeaders(reply, admission.rate);
    if (admission.outcome !== 'admitted') throw refusals[admission.outcome](admission, scopes, ip);
    keeper.hold(leaseId);
    request.caller = {
      accountId: admission.accountId,
      keyId: key.keyId,
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
      deps.log(`The end of request ${request.id} was not recorded; its lease expires by itself.`, error);
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
