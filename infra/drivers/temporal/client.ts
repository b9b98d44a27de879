import { Client, Connection } from '@temporalio/client';
import { dataConverterOf } from './data-converter.ts';

export interface TemporalClient {
  readonly client: Client;
  readonly connection: Connection;
  close(): Promise<void>;
}

/**
 * Connects on first use, so that a process starts and serves what needs no workflow while Temporal is away. `keys`: the
 * data encryption keys, the newest first.
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
  const connection = Connection.lazy({ address });
  const client = new Client({ connection, namespace, dataConverter: dataConverterOf(keys) });
  return { connection, client, close: () => connection.close() };
}
