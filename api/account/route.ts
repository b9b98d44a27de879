import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ApiDeps } from '../deps.ts';

/** Where all routes of the account pages are; the pages themselves are at `/dashboard`. */
export const accountPath = '/dashboard/api';

/** Who is signed in, and the instant all decisions of the request are taken at (the database's clock). */
export interface Session {
  readonly accountId: string;
  readonly email: string;
  /** Names the session in the database; what the cookie holds is stored hashed only. */
  readonly sessionId: string;
  readonly at: Date;
}

/** What a route is given, its body already read against `body`. */
export interface Visit<Body> {
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** A long answer, of which an account has one at a time; throws CONCURRENCY_LIMITED where another goes on. */
  readonly download: (accountId: string, pieces: AsyncGenerator<string>) => Readable;
}

interface RouteBasics<Body> {
  readonly method: 'get' | 'post' | 'patch';
  /** Below `accountPath`, such as `/keys/:key_id/revoke`. */
  readonly path: string;
  /** What the body has to be; a route without one reads none. */
  readonly body?: z.ZodType<Body>;
  /** Answers 201 where what is returned was made; default 200. */
  readonly status?: 200 | 201;
}

/** A route that anybody may call, before signing in. */
export interface DoorRoute<Body = unknown> extends RouteBasics<Body> {
  readonly signedIn: false;
  readonly handle: (deps: ApiDeps, visit: Visit<Body>) => Promise<object>;
}

/** A route of the signed-in account; with a method other than `get` the CSRF token has been checked. */
export interface AccountRoute<Body = unknown> extends RouteBasics<Body> {
  readonly signedIn: true;
  readonly handle: (deps: ApiDeps, session: Session, visit: Visit<Body>) => Promise<object>;
}

/** Rows of tables lose the type of their body; this keeps it while the row is written. */
export const doorRoute = <Body>(route: DoorRoute<Body>): DoorRoute => route as unknown as DoorRoute;
export const accountRoute = <Body>(route: AccountRoute<Body>): AccountRoute => route as unknown as AccountRoute;
