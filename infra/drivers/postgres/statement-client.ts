import type { ConnectionOptions } from 'node:tls';
import { Client, Query, type ClientConfig, type QueryConfig, type QueryResult, type Submittable } from 'pg';
import { silence } from './errors.ts';

type Callback = (error: Error | null | undefined, result?: QueryResult) => void;
type Statement = Submittable & { callback?: Callback };
type Text = string | (QueryConfig & { readonly query_timeout?: number });
type Ask = (statement: Statement, ...rest: readonly unknown[]) => unknown;
type Settles = Pick<PromiseWithResolvers<QueryResult>, 'resolve' | 'reject'>;

interface ClientOptions {
  /** Milliseconds after which a statement that the server does not answer at all fails; 0: never. */
  readonly silenceMs: number;
  /** The TLS of the next connection; null: without. */
  readonly ssl: (() => ConnectionOptions | false) | null;
}

/*
 * What a statement ends with is made by the functions here and not where it is assigned. V8 takes a function that is
 * written where a property is assigned for a method that stays, and puts it among what is old at once; there it would
 * keep its statement, with all rows, until the whole heap is collected.
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

/** Its stack leads to who asked, not to the socket that answered. */
function restacked(error: Error): never {
  Error.captureStackTrace(error);
  throw error;
}

/**
 * The driver's client, whose statements leave nothing behind that outlives them in memory, and fail with `silence`
 * where the server says nothing; a statement's own `query_timeout` counts instead of `silenceMs`.
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
