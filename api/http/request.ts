import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Funds } from '../../infra/records/admission/admit.ts';
import type { KeyMode, TaskModelRecord } from '../../infra/contract/task-model.ts';

/**
 * The sender of an admitted request, and the time of the request by the database's clock. All decisions of the request
 * use this time.
 */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly at: Date;
  readonly dailyEstimates: number;
  /** Also the lock id of the request's Idempotency-Key. */
  readonly leaseId: string;
  /** The model in the path, as read at admission, with any status and mode. */
  readonly model: TaskModelRecord | null;
  /** What the account could spend at admission. */
  readonly funds: Funds;
  /** The Idempotency-Key that the admission started; null: none. */
  readonly begunKey: string | null;
}

/** Usage data that is collected while a request runs. */
export interface UsageNote {
  /** The route's endpoint name. A use case that is counted under a different name replaces it. */
  endpoint: string;
  windows: number;
  microUsd: bigint;
  /** Micro-dollars of charged windows. They count only if `recorded` is true. */
  charged?: bigint;
  /** Error code of the answer; null for a success. */
  code: string | null;
  /** The use case's own transaction has recorded the usage. */
  recorded: boolean;
  /** The same transaction has ended the request's lease. */
  leaseEnded: boolean;
}

/** The data of a request that its use case needs. */
export interface RequestContext {
  readonly caller: Caller;
  readonly usage: UsageNote;
  readonly requestId: string;
  /** Called after the trials were moved out of this thread. */
  readonly releaseBody: () => void;
  /** Reserves memory for an answer of at most this many bytes. Throws POOL_SATURATED if there is none. */
  readonly reserveAnswer: (bytes: number) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    usage: UsageNote;
    /** Reads the body, once. Its memory is reserved for the account. */
    readBody: (accountId: string) => Promise<Uint8Array>;
    /** Releases the memory of the body, except `kept` bytes (default 0). */
    releaseBody: (kept?: number) => void;
  }
  interface FastifyContextConfig {
    /** Usage is counted under this name. A route without one needs no key. */
    readonly endpoint?: string;
    /** Also allowed for suspended accounts. */
    readonly whileSuspended?: boolean;
    /** One of these permissions is enough. */
    readonly scopes?: readonly string[];
    /** The admission starts the Idempotency-Key. */
    readonly beginsKey?: boolean;
    /** The admission also reads the model's training report. */
    readonly readsReport?: boolean;
    /** Largest body in bytes. */
    readonly bodyBytes?: number;
    /** Prefix of the public interface on routes for sessions; default empty. */
    readonly mount?: string;
  }
}

/** 90 random bits from a UUID. Node generates the randomness of UUIDs in advance. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '').slice(8)}`;

/** Gives every request of the scope its usage data. */
export function noteUsage(scope: FastifyInstance): void {
  scope.decorateRequest('usage');
  scope.addHook('onRequest', async (request) => {
    const { endpoint = '' } = request.routeOptions.config;
    request.usage = { endpoint, windows: 0, microUsd: 0n, code: null, recorded: false, leaseEnded: false };
  });
}

/** The caller of an admitted request. */
export function callerOf(request: { caller: Caller | null }): Caller {
  if (!request.caller) throw new Error('The route has no `endpoint` in its config, so no caller was admitted.');
  return request.caller;
}

/** An admitted request as input of a use case. */
export const contextOf = (
  request: Pick<FastifyRequest, 'caller' | 'usage' | 'id' | 'releaseBody' | 'reserveAnswer'>,
): RequestContext => ({
  caller: callerOf(request),
  usage: request.usage,
  requestId: request.id,
  releaseBody: () => request.releaseBody(),
  reserveAnswer: (bytes) => request.reserveAnswer(bytes),
});

/** The route's prefix before the interface's own path, for links in answers. */
export const mountOf = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): string =>
  routeOptions.config.mount ?? '';

/** The request's path without the prefix. */
export const interfacePath = (request: Pick<FastifyRequest, 'routeOptions' | 'url'>): string =>
  request.url.split('?')[0]!.slice(mountOf(request).length);

/** The model id of the path. */
export const pathId = (request: { params: unknown }): string => (request.params as { model_id: string }).model_id;
