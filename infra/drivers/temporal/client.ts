import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import type { TemporalSecurity } from '../config-values.ts';
import { followFiles } from '../follow-files.ts';
import { endWhenClosed } from './closed-calls.ts';
import { clientInterceptors } from './observed.ts';
import { dataConverterOf } from './data-converter.ts';
import { readSecurity, securityFiles } from './security.ts';

/** Address of the Temporal server, and the options of the connection. */
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

/** Delay after which all calls on a replaced connection have ended. */
const lastCallsMs = 60_000;

/**
 * A client that connects on first use, so that a process can start and serve requests without workflows while Temporal
 * is away. It reconnects when certificates are renewed. Calls that still run at `close` are not retried. Throws a
 * ConfigError if its files cannot be used.
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

/** A proxy for the object that `current` returns at the time of a call. */
const latest = (current: () => Connection): Connection =>
  new Proxy({} as Connection, {
    get(_, name) {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? value.bind(current()) : value;
    },
    getPrototypeOf: () => Connection.prototype,
  });
