import type { RouteHandlerMethod } from 'fastify';
import type { Operation } from '../contract/operation.ts';
import type { ApiDeps } from '../deps.ts';

/** The description of an endpoint, and its handler. */
export interface Route {
  readonly operation: Operation;
  /** Reads the request, calls the use case, sends its answer. */
  readonly handle: (deps: ApiDeps) => RouteHandlerMethod;
}
