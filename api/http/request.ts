import type { KeyMode } from '../../infra/contract/task-model.ts';

/** Who sent an admitted request, and the instant all its decisions are taken at (the database's clock). */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly at: Date;
  readonly dailyEstimates: number;
  /** Also the lock id of the request's Idempotency-Key. */
  readonly leaseId: string;
}

/** What a route notes for the usage record while it works. */
export interface UsageNote {
  /** Replaces the route's endpoint name, as for an estimate. */
  endpoint?: string;
  windows: number;
  microUsd: bigint;
  /** Error code of the answer; null for a success. */
  code: string | null;
  /** The route's own transaction has recorded it. */
  recorded: boolean;
}

export interface RouteConfig {
  /** Name under which usage is counted; a route without one needs no key. */
  readonly endpoint?: string;
  /** One of these permissions is enough. */
  readonly scopes?: readonly string[];
  /** Largest body in bytes. */
  readonly bodyBytes?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
    usage: UsageNote;
    /** Ends the body's share of what the process may hold: called once it has been read. */
    releaseBody: () => void;
  }
  interface FastifyContextConfig extends RouteConfig {}
}

/** The caller of an admitted request. */
export function callerOf(request: { caller: Caller | null }): Caller {
  if (!request.caller) throw new Error('The route has no `endpoint` in its config, so no caller was admitted.');
  return request.caller;
}
