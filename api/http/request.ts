import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Funds } from '../../infra/records/admission/admit.ts';
import type { KeyMode, TaskModelRecord } from '../../infra/contract/task-model.ts';

/** Who sent an admitted request, and the instant all its decisions are taken at (the database's clock). */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly at: Date;
  readonly dailyEstimates: number;
  /** Also the lock id of the request's Idempotency-Key. */
  readonly leaseId: string;
  /** The account's model that the path names, as it was at the admission, whatever its status and mode. */
  readonly model: TaskModelRecord | null;
  /** What the account could spend at the admission. */
  readonly funds: Funds;
  /** The Idempotency-Key that was begun with the admission; null: none. */
  readonly begunKey: string | null;
}

/** What is noted for the usage record while a request is worked on. */
export interface UsageNote {
  /** The route's endpoint name; a use case that is counted under another one replaces it. */
  endpoint: string;
  windows: number;
  microUsd: bigint;
  /** Micro-dollars of windows that count once `recorded` is true. */
  charged?: bigint;
  /** Error code of the answer; null for a success. */
  code: string | null;
  /** The use case's own transaction has recorded it. */
  recorded: boolean;
  /** And has ended the request's lease. */
  leaseEnded: boolean;
}

/** What a use case knows of the request that asked for it. */
export interface Asked {
  readonly caller: Caller;
  readonly usage: UsageNote;
  readonly requestId: string;
  /** Called once the trials have left this thread for good. */
  readonly releaseBody: () => void;
  /** Makes room for an answer of at most this many bytes; throws POOL_SATURATED where there is none. */
  readonly holdAnswer: (bytes: number) => void;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    usage: UsageNote;
    /** Reads the body, once; what it holds of the process's memory counts as the account's. */
    readBody: (accountId: string) => Promise<Uint8Array>;
    /** Gives back what the body holds of the process's memory, but for `kept` bytes (default 0). */
    releaseBody: (kept?: number) => void;
  }
  interface FastifyContextConfig {
    /** Name under which usage is counted; a route without one needs no key. */
    readonly endpoint?: string;
    /** Open to suspended accounts, too. */
    readonly whileSuspended?: boolean;
    /** One of these permissions is enough. */
    readonly scopes?: readonly string[];
    /** The Idempotency-Key is begun with the admission. */
    readonly beginsKey?: boolean;
    /** The model of the path is found with its training report. */
    readonly readsReport?: boolean;
    /** Largest body in bytes. */
    readonly bodyBytes?: number;
    /** What stands before the path of the public interface where it is served for sessions; default nothing. */
    readonly mount?: string;
  }
}

/** 90 random bits: of a UUID, whose randomness Node draws in advance for many. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '').slice(8)}`;

/** Gives every request of the scope its usage note. */
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

/** An admitted request as use cases see it. */
export const askedBy = (
  request: Pick<FastifyRequest, 'caller' | 'usage' | 'id' | 'releaseBody' | 'holdAnswer'>,
): Asked => ({
  caller: callerOf(request),
  usage: request.usage,
  requestId: request.id,
  releaseBody: () => request.releaseBody(),
  holdAnswer: (bytes) => request.holdAnswer(bytes),
});

/** What stands before the interface's own path, so that an answer can say where something is. */
export const mountOf = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): string =>
  routeOptions.config.mount ?? '';

/** The request's path as the public interface has it, whoever asks. */
export const interfacePath = (request: Pick<FastifyRequest, 'routeOptions' | 'url'>): string =>
  request.url.split('?')[0]!.slice(mountOf(request).length);

/** The model id of the path. */
export const pathId = (request: { params: unknown }): string => (request.params as { model_id: string }).model_id;
