import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/** Prefix of the routes of the account pages. The pages themselves are at `/dashboard`. */
export const accountPath = '/dashboard/api';

/**
 * The signed-in account, and the time of the request by the database's clock. All decisions of the request use this
 * time.
 */
export interface Session {
  readonly accountId: string;
  readonly email: string;
  /** Identifies the session in the database. The database stores the cookie's token only as a hash. */
  readonly sessionId: string;
  readonly at: Date;
}

/** Input of a route. Its body is already validated against `body`. */
export interface RouteInput<Body> {
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Starts a long answer. Throws CONCURRENCY_LIMITED while the account has one in progress. */
  readonly download: (accountId: string, pieces: AsyncGenerator<string>) => Readable;
}

interface RouteBasics<Body> {
  readonly method: 'get' | 'post' | 'patch';
  /** Below `accountPath`, such as `/keys/:key_id/revoke`. */
  readonly path: string;
  /** Schema of the body; absent: the route reads no body. */
  readonly body?: z.ZodType<Body>;
  /** 201 if the route created the returned object; default 200. */
  readonly status?: 200 | 201;
}

/** A route that works without sign-in. */
export interface AnonymousRoute<Body = unknown> extends RouteBasics<Body> {
  readonly signedIn: false;
  readonly handle: (deps: ApiDeps, input: RouteInput<Body>) => Promise<object>;
}

/** A route of the signed-in account. For methods other than `get` the CSRF token has been checked. */
export interface AccountRoute<Body = unknown> extends RouteBasics<Body> {
  readonly signedIn: true;
  readonly handle: (deps: ApiDeps, session: Session, input: RouteInput<Body>) => Promise<object>;
}

/** Tables of routes lose the type of each body. This function checks it for one row. */
export const anonymousRoute = <Body>(route: AnonymousRoute<Body>): AnonymousRoute => route as unknown as AnonymousRoute;
export const accountRoute = <Body>(route: AccountRoute<Body>): AccountRoute => route as unknown as AccountRoute;
