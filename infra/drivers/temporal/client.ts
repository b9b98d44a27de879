import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { TemporalSecurity } from '../config-values.ts';
import { followFiles } from '../follow-files.ts';
import { endWhenClosed } from './closed-calls.ts';
import { clientInterceptors } from './observed.ts';
import { dataConverterOf } from './data-converter.ts';
import { readSecurity, securityFiles } from './security.ts';

/** Where the Temporal server is, and how the service speaks to it. */
export interface TemporalServer {
  readonly address: string;
  readonly namespace: string;
  /** The data encryption keys, the newest first. */
  readonly keys: readonly Uint8Array[];
  readonly security?: TemporalSecurity;
}

export const plain: TemporalSecurity = {
  tls: false,
  files: { ca: null, cert: null, key: null },
  serverName: null,
  apiKey: null,
};

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/** Calls of a connection that was replaced have ended by then. */
const lastCallsMs = 60_000;

/**
 * Connects on first use, so that a process starts and serves what needs no workflow while Temporal is away, and again
 * with certificates that were renewed. What still runs when it is closed is not tried again. Throws a ConfigError where
 * its files cannot be used.
 */
export function createTemporalClient(
  { address, namespace, keys, security = plain }: TemporalServer,
  { everyMs, onFault = () => undefined }: { everyMs?: number; onFault?: (error: unknown) => void } = {},
): TemporalClient {
  let closed = false;
  const connect = (): Connection =>
    Connection.lazy({
      address,
      ...readSecurity(security),
      interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), endWhenClosed(() => closed)],
    });
  let current = connect();
  const connection = latest(() => current);
  const following = new AbortController();
  const renew = (): void => {
    const former = current;
    current = connect();
    setTimeout(() => void former.close(), lastCallsMs).unref();
  };
  const files = securityFiles(security);
  if (files.length > 0) followFiles(files, renew, { signal: following.signal, onError: onFault, everyMs });
  return {
    connection,
    client: new Client({
      connection,
      namespace,
      dataConverter: dataConverterOf(keys),
      interceptors: clientInterceptors(),
    }),
    async close() {
      closed = true;
      following.abort();
      await current.close();
    },
  };
}

/** Stands for whatever `current` gives at the time of a call. */
const latest = (current: () => Connection): Connection =>
  new Proxy({} as Connection, {
    get(_, name) {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    getPrototypeOf: () => Connection.prototype,
  });
