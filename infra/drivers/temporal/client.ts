import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { endWhenClosed } from './closed-calls.ts';
import { clientInterceptors } from './observed.ts';
import { dataConverterOf } from './data-converter.ts';

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * Connects on first use, so that a process starts and serves what needs no workflow while Temporal is away. What still
 * runs when it is closed is not tried again. `keys`: the data encryption keys, the newest first.
 */
export function createTemporalClient({
  address,
  namespace,
  keys,
}: {
  address: string;
  namespace: string;
  keys: readonly Uint8Array[];
}): TemporalClient {
  let closed = false;
  const connection = Connection.lazy({
    address,
    interceptors: [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), endWhenClosed(() => closed)],
  });
  const client = new Client({
    connection,
    namespace,
    dataConverter: dataConverterOf(keys),
    interceptors: clientInterceptors(),
  });
  return {
    connection,
    client,
    async close() {
      closed = true;
      await connection.close();
    },
  };
}
