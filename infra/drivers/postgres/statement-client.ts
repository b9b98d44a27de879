import type { ConnectionOptions } from 'node:tls';
import { Client, Query, type ClientConfig, type QueryConfig, type QueryResult, type Submittable } from 'pg';
import { silence } from './errors.ts';

type Callback = (error: Error | null | undefined, result?: QueryResult) => void;
type Statement = Submittable & { callback?: Callback };
type Text = string | (QueryConfig & { readonly query_timeout?: number });
type Ask = (statement: Statement, ...rest: readonly unknown[]) => unknown;
type Settles = Pick<PromiseWithResolvers<QueryResult>, 'resolve' | 'reject'>;

interface ClientOptions {
  /** Milliseconds after which a statement without any response fails; 0: never. */
  readonly silenceMs: number;
  /** TLS of the next connection; null: none. */
  readonly ssl: (() => ConnectionOptions | false) | null;
}

/*
 * Callbacks of statements are created by these functions and not where they are assigned. V8 treats a function literal
 * that is assigned to a property as a permanent method and allocates it in the old generation. There it would keep its
 * statement, with all rows, until a full garbage collection.
 */
const settling =
  ({ resolve, reject }: Settles): Callback =>
  (error, result) =>
    error ? reject(error) : resolve(result!);

const clearing =
  (timer: NodeJS.Timeout, then: Callback): Callback =>
  (error, result) => {
    clearTimeout(timer);
    then(error, result);
  };

const ignoreResult: Callback = () => undefined;

function giveUp(statement: Statement, then: Callback): void {
  statement.callback = ignoreResult;
  then(silence());
}

/** Its stack shows the caller, not the socket. */
function restacked(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/**
 * The driver's client without its memory leaks. A statement fails with `silence` if the server does not respond at all;
 * `query_timeout` of a statement overrides `silenceMs`.
 */
export const statementClient = ({ silenceMs, ssl }: ClientOptions) =>
  class extends Client {
    constructor(config?: ClientConfig) {
      super(ssl ? { ...config, ssl: ssl() } : config);
    }

    override query(text: Text | Submittable, ...rest: unknown[]): never {
      return ask(super.query.bind(this) as Ask, text, rest, silenceMs) as never;
    }
  } as new () => Client;

function ask(query: Ask, text: Text | Submittable, rest: readonly unknown[], silenceMs: number): unknown {
  if (typeof text === 'object' && 'submit' in text) return query(text, ...rest);
  const [values, callback] = rest;
  const statement = new Query(text, values as unknown[], callback as Callback) as unknown as Statement;
  const waiting = statement.callback ? null : Promise.withResolvers<QueryResult>();
  const then = statement.callback ?? settling(waiting!);
  const longestMs = (typeof text === 'object' ? text.query_timeout : undefined) ?? silenceMs;
  statement.callback = longestMs > 0 ? clearing(setTimeout(giveUp, longestMs, statement, then), then) : then;
  query(statement);
  return waiting?.promise.catch(restacked);
}
